import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { beforeEach, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessSupervisor } from './supervisor.ts'

const CHILD = fileURLToPath(new URL('../../../test/support/supervised-process.ts', import.meta.url))

suite('processes that are replaced', () => {
  let said: string[]
  const log = {
    info: (_details: object, message: string): void => void said.push(message),
    warn: (_details: object, message: string): void => void said.push(message),
  }
  const timesSaid = (message: string): number => said.filter((each) => each === message).length
  /** @param args what processes get that start from now on */
  const startFromNowOn = (...args: string[]): void => cluster.setupPrimary({ exec: CHILD, execArgv: [], args })
  const pids = (): (number | undefined)[] => Object.values(cluster.workers!).map((worker) => worker!.process.pid)

  /** Two processes that serve. */
  const running = async (startWithinMs: number) => {
    startFromNowOn()
    const supervisor = new ProcessSupervisor({ count: 2, endWithinMs: 20_000, startWithinMs, log })
    const exitCode = supervisor.run()
    while (timesSaid('a process serves') < 2) await sleep(10)
    startFromNowOn('hangs')
    return { supervisor, exitCode }
  }

  beforeEach(() => {
    said = []
  })

  test('all end when they are stopped meanwhile, also the one that is about to start', async () => {
    const { supervisor, exitCode } = await running(60_000)
    const replaced = supervisor.replaceAll()
    assert.equal(pids().length, 3)
    supervisor.stop('SIGTERM')
    assert.equal(await exitCode, 0)
    await replaced
    assert.deepEqual(pids(), [])
  })

  test('stay when the new one hangs, which is killed, and may be replaced again', async () => {
    const { supervisor, exitCode } = await running(100)
    const before = pids()
    const replaced = supervisor.replaceAll()
    await supervisor.replaceAll()
    assert.equal(said.at(-1), 'the processes are being replaced already')
    await replaced
    assert.deepEqual(said.slice(-2), [
      'the new process has not come to serve, and is killed',
      'the new process did not start: the others are not replaced',
    ])
    assert.deepEqual(pids(), before)
    await supervisor.replaceAll()
    assert.equal(timesSaid('replacing the processes'), 2)
    supervisor.stop('SIGTERM')
    assert.equal(await exitCode, 0)
  })
})
