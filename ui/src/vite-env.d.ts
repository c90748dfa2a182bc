/** Types for the imports that Vite handles: CSS modules, plain style sheets and fonts. */
/// <reference types="vite/client" />
