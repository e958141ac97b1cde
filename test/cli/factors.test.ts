import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { Factored, finish, PASSWORD } from '../sessions/factored.ts'
import { knowledge } from './program.ts'

onAnyDatabase('second factors on the command line', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  test('a reset lets a person who lost theirs sign in with the password, and says whether there were any', async () => {
    const person = await Factored.withApp(service, 'lost@x', { role: 'admin' })
    const waiting = await person.begin()
    const reset = () => knowledge(service.place, ['user', 'reset-factors', person.email])
    assert.equal((await reset()).stdout, 'The second factors of lost@x were ended\n')
    assert.equal((await finish(waiting, { recovery_code: person.recoveryCodes[0] })).status, 401)
    assert.equal((await person.elsewhere().signIn(person.email, PASSWORD)).status, 200)
    assert.equal((await reset()).stdout, 'There were no second factors of lost@x\n')
    const unknown = await knowledge(service.place, ['user', 'reset-factors', 'nobody@x'])
    assert.notEqual(unknown.code, 0)
    assert.equal((await knowledge(service.place, ['user', 'reset-factors'])).code, 2)
  })

  test('a tenant is set to require a second factor', async () => {
    const set = (value: string) => knowledge(service.place, ['tenant', 'set', `requireSecondFactor=${value}`])
    assert.notEqual((await set('maybe')).code, 0)
    assert.equal((await set('on')).code, 0)
    const person = await Factored.join(service, 'told@x')
    assert.equal((await person.browser.call('GET', '/api/knowledge/categories')).status, 403)
  })
})
