/** Checks the text while it is typed: after a pause, with one request at a time. Answers about older text are dropped. */
import type { TextReport } from "../../api/bindings";

/** Delay between typing and checking, in milliseconds. */
export const checkAfterMs = 150;
/** The delay for a long text, which takes longer to send. */
export const checkLongAfterMs = 600;
const longText = 300_000;

interface CheckerPorts {
  read: () => string;
  /** A number that increases with each change of the text. */
  version: () => number;
  check: (text: string) => Promise<TextReport>;
  found: (report: TextReport) => void;
  failed: (cause: unknown) => void;
}

export class Checker {
  private readonly ports: CheckerPorts;
  private timer = 0;
  private isChecking = false;
  private isDue = false;
  private isStopped = false;

  constructor(ports: CheckerPorts) {
    this.ports = ports;
  }

  /** To be called when the text has changed. */
  changed(length: number): void {
    window.clearTimeout(this.timer);
    const wait = length > longText ? checkLongAfterMs : checkAfterMs;
    this.timer = window.setTimeout(() => void this.now(), wait);
  }

  /** Checks right away. */
  async now(): Promise<void> {
    window.clearTimeout(this.timer);
    if (this.isStopped) return;
    if (this.isChecking) {
      this.isDue = true;
      return;
    }
    this.isChecking = true;
    const version = this.ports.version();
    try {
      const report = await this.ports.check(this.ports.read());
      // If the text has changed since, another check is due.
      if (!this.isStopped && version === this.ports.version()) this.ports.found(report);
    } catch (cause) {
      if (!this.isStopped) this.ports.failed(cause);
    }
    this.isChecking = false;
    if (!this.isDue) return;
    this.isDue = false;
    void this.now();
  }

  stop(): void {
    this.isStopped = true;
    window.clearTimeout(this.timer);
  }
}
