import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { Provider } from '../embedding/provider.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { PrometheusServer, promtool, WITHOUT_PROMETHEUS } from './prometheus-server.ts'
import { samplesOf } from './samples.ts'
import { HANG_MS } from '../support/patience.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'examples/monitoring')
const ENTRIES = '/api/knowledge/knowledge-entries'
const PAGE_OF_ALERTS = readFileSync(join(ROOT, 'docs/operations/fix.md'), 'utf8')
const PAGE_OF_METRICS = readFileSync(join(ROOT, 'docs/operations/watch.md'), 'utf8')

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const { panels } = JSON.parse(readFileSync(join(EXAMPLES, 'dashboard.json'), 'utf8')) as { panels: Panel[] }

function alertsIn(file: string): string[] {
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
  return groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
}

const ALERTS = alertsIn(join(EXAMPLES, 'alerts.yml'))

test('every alert has a row in the page for operators that says what to do, and the page names no other', () => {
  const rows = [...PAGE_OF_ALERTS.matchAll(/^\| `(Knowledge\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(rows, ALERTS)
})

test(
  'every alert has a case in which it fires and one in which it does not',
  { skip: WITHOUT_PROMETHEUS },
  async () => {
    const cases = join(import.meta.dirname, 'alerts.test.yml')
    const { tests } = parse(readFileSync(cases, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
    }
    const tried = tests.flatMap((each) => each.alert_rule_test)
    const fired = tried.filter(({ exp_alerts }) => (exp_alerts?.length ?? 0) > 0).map(({ alertname }) => alertname)
    const quiet = tried.filter(({ exp_alerts }) => (exp_alerts?.length ?? 0) === 0).map(({ alertname }) => alertname)
    assert.deepEqual([...new Set(fired)].toSorted(), ALERTS.toSorted())
    assert.deepEqual([...new Set(quiet)].toSorted(), ALERTS.toSorted())
    assert.match(await promtool('test', 'rules', cases), /SUCCESS/)
    await promtool('check', 'config', join(EXAMPLES, 'prometheus.yml'))
  },
)

describe('a real Prometheus that scrapes a service', { skip: WITHOUT_PROMETHEUS }, () => {
  let service: TestService
  let provider: Provider
  let prometheus: PrometheusServer
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-prometheus-'))
    provider = await Provider.start()
    const backups = { BACKUP_EVERY_HOURS: '1', BACKUP_FOLDER: join(folder, 'backups') }
    service = await TestService.start(DATABASES[0], { ...provider.settings('model-a'), ...backups })
    const config = readFileSync(join(EXAMPLES, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace('localhost:8080', new URL(service.service.url).host)
    writeFileSync(join(folder, 'prometheus.yml'), config)
    copyFileSync(join(EXAMPLES, 'alerts.yml'), join(folder, 'alerts.yml'))
    prometheus = await PrometheusServer.start(join(folder, 'prometheus.yml'), join(folder, 'data'))
  })
  after(async () => {
    await prometheus?.stop()
    await service?.stop()
    await provider?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('every query of the dashboard has an answer with a number', async () => {
    const category_id = await service.category()
    const body = { type: 'knowledge', title: 'Heron', content: 'the heron', category_id }
    assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      await service.call('POST', `${ENTRIES}/search`, { body: { query: 'heron', mode } })
    }
    const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    assert.ok(queries.length > 40)
    let unanswered = queries
    const deadline = performance.now() + HANG_MS
    while (unanswered.length > 0) {
      // The calls of now make sure that the rates of the last minute have something to tell.
      await service.call('POST', `${ENTRIES}/search`, { body: { query: 'heron', mode: 'hybrid' } })
      const still: typeof queries = []
      for (const query of unanswered) if (!(await hasNumber(query.expr))) still.push(query)
      unanswered = still
      const names = unanswered.map(({ title, expr }) => `${title}: ${expr}`)
      assert.ok(unanswered.length === 0 || performance.now() < deadline, `without an answer: ${names.join('\n')}`)
    }
  })

  async function hasNumber(expression: string): Promise<boolean> {
    const query = expression
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$job', 'knowledge')
      .replaceAll('$instance', '.*')
    const series = await prometheus.query(query)
    return series.some(({ value: [, value] }) => Number.isFinite(Number(value)))
  }

  test('the rules are loaded and evaluated without a fault, and all is well', async () => {
    const rules = await prometheus.rules()
    assert.deepEqual(rules.map(({ name }) => name).toSorted(), ALERTS.toSorted())
    const ill = rules.filter(({ health }) => health !== 'ok')
    assert.deepEqual(ill, [])
    const firing = await prometheus.query('ALERTS{alertstate="firing"}')
    assert.deepEqual(firing, [])
  })

  test('every metric that an alert asks for is one of the service, and every one has a place in the page', async () => {
    const mailing = await service.sibling({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'knowledge@example.com' })
    const names = new Set<string>()
    for (const base of [service.service.url, mailing.url]) {
      for (const sample of (await samplesOf(base)).keys()) names.add(sample.split('{', 1)[0])
    }
    await mailing.stop()
    const matches = readFileSync(join(EXAMPLES, 'alerts.yml'), 'utf8').matchAll(/([a-z]+_[a-z0-9_]+)\{/g)
    const unknown = [...matches].map(([, name]) => name).filter((name) => !names.has(name))
    // Only where a backup failed, and where there are several processes.
    const others = ['service_process_down', 'service_process_restarts_total', 'backup_last_failure_timestamp_seconds']
    assert.deepEqual(unknown, others)
    const own = [...names]
      .filter((name) => !/^(?:nodejs|process)_/.test(name))
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    const missing = [...new Set(own)].filter((name) => !PAGE_OF_METRICS.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })
})
