import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const ID = '0190f6d1-1f2e-7a3d-9b4c-5d6e7f8a9b0c'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REFUSED: readonly (readonly [string, string, number, (string | object)?])[] = [
  ['POST', '/oauth/token', 401, 'grant_type=refresh_token&refresh_token=x&client_id=nobody'],
  ['POST', '/oauth/token', 422, ''],
  ['POST', '/oauth/revoke', 401, 'token=x&client_id=nobody'],
  ['POST', '/oauth/introspect', 422, ''],
  ['POST', '/oauth/register', 400, { client_name: 'Assistant', redirect_uris: ['http://example.com'] }],
  ['GET', '/oauth/register/{client_id}', 401],
  ['POST', '/sign-in/provider/logout', 400, 'logout_token=x'],
]

describe('refusals that a protocol prescribes', () => {
  let service: TestService
  const ajv = new Ajv({ strict: false, validateFormats: false })

  before(async () => {
    service = await TestService.start(DATABASES[0])
    ajv.addSchema({ ...service.service.app.documentation.document(), $id: 'document' })
  })
  after(() => service.stop())

  for (const [method, path, status, body] of REFUSED) {
    test(`are described where ${method} ${path} answers ${status}`, async () => {
      const headers = typeof body === 'string' ? FORM : undefined
      const answer = await service.call(method, path.replace('{client_id}', ID), { body, headers })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      const at = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
      const pointer = `paths/${at}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
      const isDescribed = ajv.validate({ $ref: `document#/${pointer}` }, answer.body)
      assert.ok(isDescribed, `${JSON.stringify(answer.body)}: ${ajv.errorsText()}`)
    })
  }
})
