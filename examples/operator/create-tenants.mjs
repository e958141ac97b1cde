/**
 * Creates a tenant for each line of a file, with its settings and a first key. It can run again after a failure or with
 * more lines: a tenant that it has created before stays as it is.
 *
 *     KNOWLEDGE_OPERATOR_KEY=op_… node examples/operator/create-tenants.mjs http://localhost:8080 tenants.jsonl >> keys.tsv
 *
 * A line is what `POST /api/operator/tenants` takes, and needs a `reference` of your own. Each new tenant is a line on
 * standard output: its id and its key, which the service never shows again. So append, and a second run keeps the first.
 */
import { readFileSync } from 'node:fs'

const PARALLEL = 4

const [service, file] = process.argv.slice(2)
const key = process.env.KNOWLEDGE_OPERATOR_KEY
if (service === undefined || file === undefined || key === undefined) {
  process.stderr.write('Usage: KNOWLEDGE_OPERATOR_KEY=op_… node create-tenants.mjs ADDRESS FILE\n')
  process.exit(2)
}
const lines = readFileSync(file, 'utf8').split('\n')
const waiting = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
const count = { created: 0, known: 0, failed: 0 }

/** Creates one tenant after the other until none waits. */
async function work() {
  for (let tenant = waiting.shift(); tenant !== undefined; tenant = waiting.shift()) {
    const response = await fetch(`${service}/api/operator/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: { name: 'First key' }, ...tenant }),
    })
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    if ((response.status === 429 || response.status === 503) && seconds > 0) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      waiting.push(tenant)
      continue
    }
    const body = await response.json()
    if (response.status === 201) {
      count.created += 1
      process.stdout.write(`${body.tenant.id}\t${body.api_key?.key ?? ''}\n`)
    } else if (response.status === 200) count.known += 1
    else {
      count.failed += 1
      const faults = body.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
      process.stderr.write(`${tenant.id}: ${response.status} ${faults.join('; ')}\n`)
    }
  }
}

await Promise.all(Array.from({ length: PARALLEL }, work))
process.stderr.write(`${count.created} created, ${count.known} known, ${count.failed} failed\n`)
process.exitCode = count.failed > 0 ? 1 : 0
