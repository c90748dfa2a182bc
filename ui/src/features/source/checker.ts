/** Judges the text while it is typed: behind a pause, one request at a time, and only the answer about the text as it stands is used. */
import type { TextReport } from "../../api/bindings";

/** A pause in typing before the text is checked. */
export const checkAfterMs = 150;
/** The same for a text that takes longer to send. */
export const checkLongAfterMs = 600;
const longText = 300_000;

interface CheckerPorts {
  read: () => string;
  /** Grows with each change of the text. */
  version: () => number;
  check: (text: string) => Promise<TextReport>;
  found: (report: TextReport) => void;
  failed: (cause: unknown) => void;
}

export class Checker {
  private readonly ports: CheckerPorts;
  private timer = 0;
  private isAsking = false;
  private isDue = false;
  private isStopped = false;

  constructor(ports: CheckerPorts) {
    this.ports = ports;
  }

  /** The text changed. */
  changed(length: number): void {
    window.clearTimeout(this.timer);
    const wait = length > longText ? checkLongAfterMs : checkAfterMs;
    this.timer = window.setTimeout(() => void this.now(), wait);
  }

  /** Checks without a pause. */
  async now(): Promise<void> {
    window.clearTimeout(this.timer);
    if (this.isStopped) return;
    if (this.isAsking) {
      this.isDue = true;
      return;
    }
    this.isAsking = true;
    const version = this.ports.version();
    try {
      const report = await this.ports.check(this.ports.read());
      // The answer about a text that is gone is of no use; the next one is on its way.
      if (!this.isStopped && version === this.ports.version()) this.ports.found(report);
    } catch (cause) {
      if (!this.isStopped) this.ports.failed(cause);
    }
    this.isAsking = false;
    if (!this.isDue) return;
    this.isDue = false;
    void this.now();
  }

  stop(): void {
    this.isStopped = true;
    window.clearTimeout(this.timer);
  }
}
