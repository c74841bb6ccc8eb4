import type { BenchDeployment } from '../../frame/deployment.ts';
import type { ServiceProcess } from '../../frame/service-process.ts';
import type { Offered } from './offer.ts';

/** One process with everything that its measurement needs. */
export interface Prepared {
  readonly process: ServiceProcess;
  /** Prepares so much work for what is offered next. Not for requests. */
  stock?(count: number): Promise<void>;
  /** Lets it do work that waits, or as many requests at once as it likes; returns how much it does per second. */
  saturate(): Promise<number>;
  /** Offers work at a rate for a time, and waits until all of it is done. */
  offer(perSecond: number, seconds: number): Promise<Offered>;
  close?(): Promise<void>;
}

/** A kind of process with one kind of work. */
export interface Kind {
  readonly title: string;
  /** What is offered, in the plural. */
  readonly unit: string;
  /** 95 % have to be done in this time. */
  readonly limitMs: number;
  /** What the work is, and what is not part of it. */
  readonly work: string;
  prepare(deployment: BenchDeployment): Promise<Prepared>;
}
