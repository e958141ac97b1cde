import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { afterEach, beforeEach, mock, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FromProcess, ToProcess } from './messages.ts'
import { ProcessSupervisor } from './supervisor.ts'
import { until } from '../../../test/support/patience.ts'

const CHILD = fileURLToPath(new URL('../../../test/support/supervised-process.ts', import.meta.url))

suite('processes that are replaced', () => {
  let messages: string[]
  const log = {
    info: (_details: object, message: string): void => void messages.push(message),
    warn: (_details: object, message: string): void => void messages.push(message),
  }
  const timesLogged = (message: string): number => messages.filter((each) => each === message).length
  /** @param args arguments of processes that start from now on */
  const startFromNowOn = (...args: string[]): void => cluster.setupPrimary({ exec: CHILD, execArgv: [], args })
  const pids = (): (number | undefined)[] => Object.values(cluster.workers!).map((worker) => worker!.process.pid)

  /** Starts two processes, and waits until both serve. */
  const running = async (startWithinMs: number) => {
    startFromNowOn()
    const supervisor = new ProcessSupervisor({ count: 2, endWithinMs: 20_000, startWithinMs, log })
    const exitCode = supervisor.run()
    await until(() => timesLogged('a process serves') >= 2, 'both processes serve')
    startFromNowOn('hangs')
    return { supervisor, exitCode }
  }

  beforeEach(() => {
    messages = []
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
    assert.equal(messages.at(-1), 'the processes are being replaced already')
    await replaced
    assert.deepEqual(messages.slice(-2), [
      'the new process has not come to serve, and is killed',
      'the new process did not start: the others are not replaced',
    ])
    assert.deepEqual(pids(), before)
    await supervisor.replaceAll()
    assert.equal(timesLogged('replacing the processes'), 2)
    supervisor.stop('SIGTERM')
    assert.equal(await exitCode, 0)
  })
})

suite('metrics of all processes', () => {
  const log = { info: (): void => undefined, warn: (): void => undefined }
  let stop: () => Promise<void>

  /** Starts two processes. @returns their messages until both served */
  const running = async (...args: string[]) => {
    cluster.setupPrimary({ exec: CHILD, execArgv: [], args })
    const sent: FromProcess[] = []
    const listen = (_worker: unknown, message: FromProcess): void => void sent.push(message)
    cluster.on('message', listen)
    const supervisor = new ProcessSupervisor({
      count: 2,
      endWithinMs: 20_000,
      startWithinMs: 20_000,
      log,
      metricsEveryMs: 0,
    })
    const exitCode = supervisor.run()
    await until(() => sent.filter(({ kind }) => kind === 'serving').length >= 2, 'both processes serve')
    cluster.off('message', listen)
    stop = async () => {
      supervisor.kill()
      await exitCode
    }
    return sent
  }

  afterEach(() => stop())

  test('are collected once for all requests meanwhile, and anew for later requests', async () => {
    await running()
    const workers = Object.values(cluster.workers!).map((worker) => worker!)
    const received: ToProcess[] = []
    for (const worker of workers) {
      mock.method(worker, 'send', (message: ToProcess) => received.push(message) && worker.process.send(message))
    }
    const texts = (): string[] => received.flatMap((message) => (message.kind === 'scraped' ? [message.text] : []))
    for (const round of [1, 2]) {
      for (let call = 0; call < 50; call++) workers[call % 2].emit('message', { kind: 'scrape', call })
      await until(() => texts().length >= 50 * round, 'all are told the metrics')
      assert.equal(received.filter(({ kind }) => kind === 'tell-metrics').length, workers.length * round)
    }
    for (const text of texts()) assert.match(text, /^service_process_down\{process="2"\} /m)
  })

  test('are requested by a process once for all requests that it has meanwhile', async () => {
    const sent = await running('scrapes')
    assert.equal(sent.filter(({ kind }) => kind === 'scrape').length, 2)
  })
})
