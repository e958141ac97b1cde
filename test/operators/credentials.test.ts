import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { everyOperator, issueOperator, revokeOperator } from '../../src/identity/operators/rules.ts'
import { knowledge } from '../cli/program.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { CATEGORIES, OperatorStage, said, TENANTS } from './stage.ts'

onAnyDatabase('credentials of operators', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const asking = (key: string | null, path = TENANTS) => stage.service.call('GET', path, { key })

  test('one that the command line issues works at once, is stored as a hash, and is refused once it is revoked', async () => {
    const { place, database } = stage.service
    const issued = await knowledge(place, ['operator', 'issue', '-q', '--name', 'night shift'])
    assert.match(issued.stdout, /^op_[0-9A-Za-z]{40}\n$/)
    const key = issued.stdout.trim()
    assert.equal((await asking(key)).status, 200)
    const rows = await everyOperator(database.queries)
    assert.ok(!JSON.stringify(rows).includes(key))
    const { id, expires_at: expires } = rows.find(({ name }) => name === 'night shift')!
    assert.ok(Math.abs(expires! - Date.now() - 365 * 86_400_000) < 60_000, 'it lasts a year unless told otherwise')
    const listed = await knowledge(place, ['operator', 'list'])
    assert.match(listed.stdout, new RegExp(`${id}  ${key.slice(0, 7)}…  +night shift +valid until`))
    assert.ok(!listed.stdout.includes(key))
    const revoked = await knowledge(place, ['operator', 'revoke', id])
    assert.deepEqual([revoked.code, revoked.stdout], [0, `Operator ${id} is revoked\n`])
    const answer = await asking(key)
    assert.deepEqual(said(answer), ['401 header.authorization unauthorized'])
    assert.match(answer.body.detail[0].msg, /was revoked/)
    assert.match((await knowledge(place, ['operator', 'revoke', id])).stdout, /was revoked already/)
    assert.notEqual((await knowledge(place, ['operator', 'revoke', 'nobody'])).code, 0)
  })

  test('issuing and revoking are in the audit log of the installation', async () => {
    const { id } = await issueOperator(stage.service.database, { name: 'Audited', expiresAt: null })
    await revokeOperator(stage.service.database, id)
    const { body } = await stage.call('GET', '/api/operator/log')
    const own = body.filter((item: { resource_id: string }) => item.resource_id === id)
    assert.deepEqual(
      own.map(({ action, resource_type: type, operator_id: by, source }: Record<string, unknown>) => [
        action,
        type,
        by,
        source,
      ]),
      [
        ['revoke', 'operator', null, 'cli'],
        ['create', 'operator', null, 'cli'],
      ],
    )
  })

  test('an expired one is refused', async () => {
    const { key } = await issueOperator(stage.service.database, { name: 'Short', expiresAt: Date.now() - 1 })
    const answer = await asking(key)
    assert.equal(answer.status, 401)
    assert.match(answer.body.detail[0].msg, /has expired/)
  })

  test('it opens no route of a tenant, and no credential of a tenant opens a route of operators', async () => {
    assert.equal((await asking(stage.key, CATEGORIES)).status, 401)
    assert.equal((await asking(stage.key, '/api/session')).status, 401)
    for (const key of [null, stage.service.adminKey, 'nonsense', `op_${'0'.repeat(40)}`]) {
      const answer = await asking(key)
      assert.deepEqual(said(answer), ['401 header.authorization unauthorized'], String(key))
      assert.match(answer.body.detail[0].msg, /Send one: Authorization: Bearer op_…$/)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.equal((await stage.service.call('HEAD', TENANTS, { key })).status, 401)
    }
  })

  test('a list of what operators did has pages', async () => {
    for (const name of ['a', 'b', 'c']) await issueOperator(stage.service.database, { name, expiresAt: null })
    const whole = (await stage.call('GET', '/api/operator/log')).body
    const first = await stage.call('GET', '/api/operator/log?limit=2')
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]
    const second = await stage.call('GET', next)
    assert.deepEqual([...first.body, ...second.body], whole.slice(0, 4))
  })
})

onAnyDatabase('limits of operators', (kind) => {
  test('outside of their networks the paths of operators do not exist, however they are written', async () => {
    const stage = await OperatorStage.start(kind, { OPERATOR_NETWORKS: '10.0.0.0/8', TRUST_PROXY: 'true' })
    try {
      const from = (address: string, method: string, path: string) =>
        stage.service.call(method, path, { key: stage.key, headers: { 'x-forwarded-for': address } })
      assert.equal((await from('10.1.2.3', 'GET', TENANTS)).status, 200)
      for (const [method, path] of [
        ['GET', TENANTS],
        ['GET', '/api/%6Fperator/tenants'],
        ['PUT', TENANTS],
        ['GET', '/api/operator/nothing'],
      ]) {
        const answer = await from('192.0.2.1', method, path)
        assert.deepEqual(said(answer), ['404 path not_found'], `${method} ${path}`)
      }
      assert.equal((await from('192.0.2.1', 'GET', '/healthz')).status, 200)
    } finally {
      await stage.stop()
    }
  })

  test('requests of an operator, and guesses of an address, have a rate', async () => {
    const stage = await OperatorStage.start(kind, { RATE_LIMIT_OPERATOR_PER_MINUTE: '3' })
    try {
      const statuses = async (key: string) => {
        const statuses: number[] = []
        for (let i = 0; i < 4; i++) statuses.push((await stage.service.call('GET', TENANTS, { key })).status)
        return statuses
      }
      assert.deepEqual(await statuses(stage.key), [200, 200, 200, 429])
      assert.deepEqual(await statuses(`op_${'0'.repeat(40)}`), [401, 401, 401, 429])
      assert.equal((await stage.service.call('GET', CATEGORIES)).status, 200)
    } finally {
      await stage.stop()
    }
  })
})
