/** Types of what Vite adds to imports: CSS modules, plain styles and fonts. */
/// <reference types="vite/client" />
