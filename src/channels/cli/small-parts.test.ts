import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { ROLE_SCOPES, SCOPES } from '../../platform/access/scopes.ts'
import { readArguments } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { counted } from './counted.ts'
import { readExpiry } from './expiry.ts'
import { UsageError } from './failure.ts'
import { duration, Progress } from './progress.ts'
import { printable } from './printable.ts'
import { scopesInWords } from './scopes-in-words.ts'
import { beside, table } from './table.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY_MS = 86_400_000

test('an expiry is a duration from now, or a time in the future', () => {
  assert.equal(readExpiry('90d', NOW), NOW + 90 * DAY_MS)
  assert.equal(readExpiry('12h', NOW), NOW + DAY_MS / 2)
  assert.equal(readExpiry('2w', NOW), NOW + 14 * DAY_MS)
  assert.equal(readExpiry('2030-12-31', NOW), Date.UTC(2030, 11, 31))
  assert.equal(readExpiry('2030-12-31T10:00+02:00', NOW), Date.UTC(2030, 11, 31, 8))
  for (const raw of ['', '90', '0d', '-1d', 'tomorrow', '2030-13-01', '2020-01-01', '5m']) {
    assert.throws(() => readExpiry(raw, NOW), UsageError, raw)
  }
})

test('progress on a terminal is a bar that is redrawn, with rate and time left', () => {
  const written: string[] = []
  let now = 0
  const stream = { isTTY: true, write: (text: string) => written.push(text) }
  const progress = new Progress('Importing', stream, () => now)
  now = 10_000
  progress.update(250, 0.25)
  now = 10_050
  progress.update(251, 0.251)
  progress.clear()
  assert.deepEqual(written, [
    '\r\x1b[2KImporting [######------------------] 250, 25 a second, 25 %, 30 s left',
    '\r\x1b[2K',
  ])
})

test('progress in a log is a line every few seconds', () => {
  const written: string[] = []
  let now = 0
  const progress = new Progress('Importing', { write: (text: string) => written.push(text) }, () => now)
  for (let i = 1; i <= 12; i++) {
    now = i * 1_000
    progress.update(i, null)
  }
  progress.clear()
  assert.deepEqual(written, ['Importing 5, 1.0 a second\n', 'Importing 10, 1.0 a second\n'])
})

test('durations use the two largest units', () => {
  assert.deepEqual([0.4, 59, 185, 7_800].map(duration), ['0 s', '59 s', '3 min 5 s', '2 h 10 min'])
})

test('a table aligns its columns and shows a dash for an absent value', () => {
  assert.equal(table(['A', 'LONG'], [['xyz', null]]), 'A    LONG\nxyz  -\n')
})

test('counts have singular and plural names, and only entries are named when there are none', () => {
  assert.equal(counted({ entry: 0 }), '0 entries')
  assert.equal(counted({ entry: 1, product: 1 }), '1 entry and 1 product')
  assert.equal(counted({ entry: 2, product: 0, site: 1 }), '2 entries and 1 site')
  assert.equal(counted({ entry: 783, product: 12, site: 2 }), '783 entries, 12 products and 2 sites')
})

test('a suggested command begins as the program was called', () => {
  assert.equal(calledAs('key list', {}), 'npm run knowledge -- key list')
  assert.equal(calledAs('key list', { KNOWLEDGE_CALLED_AS: 'bin/knowledge.mjs' }), 'bin/knowledge.mjs key list')
})

test('an unknown option names the help of its command', () => {
  const line = { usage: 'key issue --name NAME', about: '', options: {} }
  assert.throws(
    () => readArguments(['--nope'], line, { env: {}, stdout: new PassThrough() }),
    /^UsageError: Unknown option '--nope'\. See: npm run knowledge -- key issue --help$/,
  )
})

test('a command stops when npm kept some of its options, instead of running without them', () => {
  const options = {
    tenant: { type: 'string', help: '' },
    'dry-run': { type: 'boolean', help: '' },
    output: { type: 'string', short: 'o', help: '' },
  } as const
  const line = { usage: 'import PATH… [options]', about: '', options }
  const read = (env: Record<string, string>) =>
    readArguments(['docs'], line, {
      env: { npm_lifecycle_event: 'knowledge', npm_config_user_agent: 'npm', ...env },
      stdout: new PassThrough(),
    })
  assert.throws(
    () => read({ npm_config_dry_run: 'true', npm_config_tenant: 'acme' }),
    /^UsageError: npm kept --tenant and --dry-run for itself, .* write: npm run knowledge -- import …$/,
  )
  assert.throws(() => read({ npm_config_o: 'true' }), /^UsageError: npm kept -o for itself/)
  assert.deepEqual(read({ npm_config_dry_run: '', npm_config_yes: 'true' })?.positionals, ['docs'])
  // From another npm script the variables were not meant for this command.
  assert.ok(read({ npm_lifecycle_event: 'deploy', npm_config_dry_run: 'true' }))
})

test('text from outside cannot move the cursor or forge a line', () => {
  assert.equal(printable('a\u001b[2J\r\nb\u009b1m\u202e\u2028'), 'a\\u001b[2J\\u000d\\u000ab\\u009b1m\\u202e\\u2028')
  assert.equal(printable('Größe 😀 "x" \\'), 'Größe 😀 "x" \\')
  assert.equal(table(['NAME'], [['a\nb']]), 'NAME\na\\u000ab\n')
})

test('values begin in the same column, however long their names are', () => {
  assert.equal(
    beside([
      ['id', 'default'],
      ['oauthRegistration', 'key'],
    ]),
    'id                 default\noauthRegistration  key\n',
  )
})

test('the scopes of a key are named by the nearest role, and none is left out', () => {
  const editor = ROLE_SCOPES.editor.filter((scope) => scope !== 'knowledge:delete')
  const cases = [
    [[...ROLE_SCOPES.reader], 'reader'],
    [[...SCOPES].toReversed(), 'admin'],
    [SCOPES.filter((scope) => scope !== 'knowledge:prompts'), 'admin without knowledge:prompts'],
    [[...ROLE_SCOPES.editor, 'knowledge:prompts'], 'editor with knowledge:prompts'],
    [[...editor, 'knowledge:prompts'], 'editor without knowledge:delete and with knowledge:prompts'],
    [['knowledge:read', 'knowledge:write', 'visibility:public'], 'knowledge:read knowledge:write visibility:public'],
    [['sites:write', 'clients:register', 'tenant:admin', 'visibility:public'], null],
  ] as const
  for (const [scopes, words] of cases) assert.equal(scopesInWords(scopes.join(' ')), words ?? scopes.join(' '))
})
