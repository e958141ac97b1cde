import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { Outbox } from '../../src/identity/mail/outbox.ts'
import { mailTransport } from '../../src/identity/mail/transport.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'
import { MailServer, textOf } from './mail-server.ts'
import { found, until } from '../support/patience.ts'

const INVITATIONS = '/api/knowledge/invitations'
const PASSWORD = 'correct horse battery'
const SECRET_KEY = 'a secret of at least 32 characters'

onAnyDatabase('mail with links', (kind) => {
  let mail: MailServer
  let service: TestService
  before(async () => {
    mail = await MailServer.start()
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'Knowledge <knowledge@service.example>', SECRET_KEY }
    service = await TestService.start(kind, settings)
  })
  after(async () => {
    await service.stop()
    await mail.stop()
  })

  const waiting = () => service.database.queries.selectFrom('mail_outbox').selectAll().execute()
  const empty = () => until(async () => (await waiting()).length === 0, 'no mail waits')
  const tokenIn = (text: string, page: string) =>
    new RegExp(String.raw`^http://\S+/console/${page}#([\w-]{43})$`, 'm').exec(text)![1]

  test('an invitation comes by mail in the language of the tenant, and the answer has no link', async () => {
    await service.tenant('english')
    await changeTenant(service.database, 'english', { name: 'Acme', settings: { language: 'en' } })
    const key = await service.key(ROLE_SCOPES.admin, 'english')
    const german = await service.call('POST', INVITATIONS, { body: { email: 'anna@x.example', role: 'reader' } })
    const english = await service.call('POST', INVITATIONS, { key, body: { email: 'ann@x.example', role: 'reader' } })
    assert.deepEqual([german.status, german.body.link, english.body.link], [201, null, null])
    const [deutsch, inEnglish] = [await mail.mailTo('anna@x.example'), await mail.mailTo('ann@x.example')]
    assert.match(deutsch.data, /^Subject: Einladung zu Default\r$/m)
    assert.match(deutsch.data, /^Content-Type: text\/plain/m)
    assert.match(inEnglish.data, /^Subject: Invitation to Acme\r$/m)
    assert.equal(inEnglish.from, 'knowledge@service.example')
    assert.match(textOf(deutsch), /Sie sind eingeladen/)
    assert.match(textOf(inEnglish), /You are invited/)
    const accepted = await new Browser(service).call('POST', '/api/session/invitation', {
      token: tokenIn(textOf(inEnglish), 'invitation'),
      name: 'Ann',
      password: PASSWORD,
    })
    assert.deepEqual([accepted.status, accepted.body.tenant.id], [200, 'english'])
    await empty()
  })

  test('an address is one recipient, whatever is in it', async () => {
    const email = "o'b+c=d!e@x.example"
    const { status } = await service.call('POST', INVITATIONS, { body: { email, role: 'reader' } })
    assert.equal(status, 201)
    await empty()
    assert.equal(mail.mails.at(-1)?.to.length, 1)
  })

  test('a link for a forgotten password comes by mail, with the same answer for an address that no user has', async () => {
    const { userId } = await service.user({ email: 'known@x.example', role: 'reader' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    await service.user({ email: 'without-password@x.example', role: 'reader' })
    const before = mail.mails.length
    const ask = (email: string) => new Browser(service).call('POST', '/api/session/forgotten-password', { email })
    const answers = []
    for (const email of ['nobody@x.example', 'without-password@x.example', 'Known@x.example'])
      answers.push(await ask(email))
    for (const { status, body } of answers) assert.deepEqual([status, body], [202, null])
    const text = textOf(await mail.mailTo('known@x.example', before))
    assert.equal(mail.mails.length, before + 1)
    const browser = new Browser(service)
    assert.equal((await browser.call('GET', '/api/session/methods')).body.forgotten_password, true)
    const body = { token: tokenIn(text, 'new-password'), password: 'another horse battery' }
    assert.equal((await browser.call('POST', '/api/session/new-password', body)).status, 204)
    assert.equal((await browser.signIn('known@x.example', 'another horse battery')).status, 200)
  })

  test('asking for a forgotten password does not shorten a link that an administrator gave', async () => {
    const { userId } = await service.user({ email: 'given@x.example', role: 'reader' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    const { body } = await service.call('POST', `/api/knowledge/users/${userId}/password-reset`)
    await mail.mailTo('given@x.example')
    const before = mail.mails.length
    await new Browser(service).call('POST', '/api/session/forgotten-password', { email: 'given@x.example' })
    const token = tokenIn(textOf(await mail.mailTo('given@x.example', before)), 'new-password')
    const view = await new Browser(service).call('POST', '/api/session/new-password/show', { token })
    assert.deepEqual([view.status, view.body.expires_at], [200, body.expires_at])
  })

  test('a few mails go to one user, however often they are asked for', async () => {
    const { userId } = await service.user({ email: 'pestered@x.example', role: 'reader' })
    await givePassword(service.database, 'default', userId, PASSWORD)
    for (let i = 0; i < 8; i++) {
      const answer = await new Browser(service).call('POST', '/api/session/forgotten-password', {
        email: 'pestered@x.example',
      })
      assert.equal(answer.status, 202)
    }
    await service.call('POST', INVITATIONS, { body: { email: 'last@x.example', role: 'reader' } })
    await mail.mailTo('last@x.example')
    await empty()
    assert.equal(mail.mails.filter(({ to }) => to.includes('pestered@x.example')).length, 3)
  })

  test('mail that the server refuses waits sealed, and the sweeper sends it later', async () => {
    mail.isRefusing = true
    const { body } = await service.call('POST', INVITATIONS, { body: { email: 'late@x.example', role: 'reader' } })
    // The first attempt is over once the mail is put off by less than the lease of an attempt.
    const row = await found(
      async () => (await waiting()).find((each) => each.attempts > 0 && each.next_at <= Date.now() + 60_000),
      'the first attempt is over',
    )
    assert.ok(!row.sealed.includes('late@x.example'))
    mail.isRefusing = false
    const errors: unknown[] = []
    const { database } = service
    const box = new SecretBox(() => SECRET_KEY)
    const later = Date.now() + 120_000
    const send = mailTransport({ smtpUrl: mail.url, from: 'knowledge@service.example' })
    const onError = (error: unknown) => errors.push(error)
    const outbox = new Outbox({ database, secrets: box, send, onError, now: () => later })
    const sweeper = startSweeper(database, onError, 3_600_000, outbox)
    await sweeper.sweep(later)
    await sweeper.close()
    assert.deepEqual([errors, await waiting()], [[], []])
    const text = textOf(await mail.mailTo('late@x.example'))
    assert.ok(text.includes('#'))
    assert.equal(
      (await service.call('GET', INVITATIONS)).body.find((each: { id: string }) => each.id === body.id).email,
      'late@x.example',
    )
  })

  test('a suspended tenant gets no mail, and mail that waits there is sent once it is resumed', async () => {
    const { database } = service
    await service.tenant('quiet')
    const { userId } = await service.user({ tenant: 'quiet', email: 'asleep@x.example', role: 'reader' })
    await givePassword(database, 'quiet', userId, PASSWORD)
    const pauseSince = (at: number | null) =>
      database.queries.updateTable('tenants').set({ suspended_at: at }).where('tenant_id', '=', 'quiet').execute()
    await pauseSince(1)
    const forgot = (email: string) => new Browser(service).call('POST', '/api/session/forgotten-password', { email })
    assert.equal((await forgot('asleep@x.example')).status, 202)
    const { userId: awake } = await service.user({ email: 'awake@x.example', role: 'reader' })
    await givePassword(database, 'default', awake, PASSWORD)
    assert.equal((await forgot('awake@x.example')).status, 202)
    await mail.mailTo('awake@x.example')
    await empty()
    const resets = () =>
      database.queries.selectFrom('password_resets').select('user_id').where('tenant_id', '=', 'quiet').execute()
    assert.deepEqual(await resets(), [])
    const errors: unknown[] = []
    const send = mailTransport({ smtpUrl: mail.url, from: 'knowledge@service.example' })
    const secrets = new SecretBox(() => SECRET_KEY)
    const outbox = new Outbox({ database, secrets, send, onError: (error) => errors.push(error) })
    const waited = { to: 'waited@x.example', subject: 'Waited', text: 'waited' }
    await database.write((tx) => outbox.put(tx, 'quiet', waited, Date.now() + 60_000))
    await outbox.deliver()
    assert.equal((await waiting()).length, 1)
    await pauseSince(null)
    await outbox.deliver()
    await mail.mailTo('waited@x.example')
    assert.deepEqual([errors, await waiting()], [[], []])
    assert.equal((await forgot('asleep@x.example')).status, 202)
    await mail.mailTo('asleep@x.example')
    await empty()
  })

  test('the log of a mail that fails has no address, subject or text', async () => {
    const errors: Error[] = []
    const { database } = service
    mail.isRefusing = true
    const send = mailTransport({ smtpUrl: mail.url, from: 'knowledge@service.example' })
    const onError = (error: unknown) => errors.push(error as Error)
    const outbox = new Outbox({ database, secrets: new SecretBox(() => SECRET_KEY), send, onError })
    const expiresAt = Date.now() + 60_000
    const secret = { to: 'secret@x.example', subject: 'Secret', text: 'secret' }
    await database.write((tx) => outbox.put(tx, 'default', secret, expiresAt))
    await outbox.deliver()
    mail.isRefusing = false
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['A mail could not be sent (EENVELOPE, 451)'],
    )
    const sweeper = startSweeper(database, onError, 3_600_000)
    await sweeper.sweep(expiresAt)
    await sweeper.close()
    assert.deepEqual(await waiting(), [])
  })
})
