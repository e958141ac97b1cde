import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** Machine and time of a measurement. */
export interface MachineFacts {
  readonly processor: string
  readonly threads: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** Date of the measurement, ISO 8601. */
  readonly date: string
  /** The load average of the minute before the measurement ended, including the measured processes. */
  readonly load: number
}

export function machineFacts(): MachineFacts {
  return {
    processor: cpus()[0].model.trim(),
    threads: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    load: Math.round(loadavg()[0] * 10) / 10,
  }
}

export function machineText({ processor, threads, memoryGb, system, node, date, load }: MachineFacts): string {
  return `Measured on ${date}: ${processor}, ${threads} threads, ${memoryGb} GB, ${system}, Node ${node}; load average at the end ${load}.`
}
