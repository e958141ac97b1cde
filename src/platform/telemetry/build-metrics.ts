import type { Registry } from 'prom-client'
import { PROGRAM_COMMIT } from '../commit.ts'
import { VERSION } from '../version.ts'
import { publishGauge } from './gauges.ts'

/** Publishes which program runs, as labels of a value that is always 1. */
export function publishBuild(registry: Registry, about: { readonly database: string; readonly model: string }): void {
  const labels = { version: VERSION, commit: PROGRAM_COMMIT ?? '', node: process.version, ...about }
  publishGauge(
    registry,
    {
      name: 'knowledge_build_info',
      help: 'Always 1; the labels say which version and commit run, on which Node and database, and with which embedding model',
      labelNames: Object.keys(labels),
    },
    () => [{ labels, value: 1 }],
  )
}
