import { after } from 'node:test'
import type { DatabaseKind } from './databases.ts'
import { TestService } from './service.ts'

const running = new Map<string, Promise<TestService>>()
let suites = 0

/**
 * Returns a tenant of its own, with an administrator, on a service that the test files of a process share: starting a
 * service costs more than most suites. It is for suites that judge nothing of the whole service, its first tenant or
 * its settings.
 * @param settings only suites with the same settings share a service
 */
export async function joinService(
  kind: DatabaseKind,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const name = JSON.stringify([kind.name, settings])
  if (!running.has(name)) running.set(name, TestService.start(kind, settings))
  return (await running.get(name)!).sharedAs(`suite-${++suites}`)
}

// Of the process and not of a suite: it runs once all suites have ended, and nothing else would end the services.
after(async () => {
  for (const service of running.values()) await (await service).stop()
})
