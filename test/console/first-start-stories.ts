import assert from 'node:assert/strict'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS } from './visitor.ts'
import { until } from '../support/patience.ts'

const FIRST_STEPS = '/console/first-steps'
const CONNECT = '/console/connect'

/** Declares the stories of the first five minutes of an organisation, and of connecting assistants and programs. */
export function firstStartStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inRest(
    'a first administrator names the organisation, tries a sample, searches, invites a person, and removes the sample with one click',
    async () => {
      await stage.foundOrganisation('first@x', 'first')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn('first@x', PASSWORD)
      await page.getByRole('link', { name: 'Begin' }).click()
      await visitor.heading('First steps')
      await page.getByText('0 of 5 steps are done.').waitFor()
      await visitor.assertSound('the first step')
      await page.getByRole('button', { name: 'Save and go on' }).click()
      await page.getByText('Enter a name.').waitFor()
      await page.getByLabel('Name of your organisation').fill('Radhaus')
      await page.getByRole('button', { name: 'Save and go on' }).click()
      await visitor.focusOn('2Add content')
      await page.locator('.account').filter({ hasText: 'Radhaus' }).waitFor()

      await page.getByRole('button', { name: 'Add sample' }).click()
      await page.getByText('6 sample entries are there.').first().waitFor()
      await page.getByRole('button', { name: 'Next step' }).click()
      await page.getByRole('link', { name: 'How long is the warranty on a frame?' }).click()
      await page.getByRole('link', { name: 'Returns and warranty', exact: true }).waitFor()

      // The done steps are known from the stored entries and settings, so the page goes on where it was.
      await visitor.navigate('First steps')
      const invite = page.getByRole('button', { name: 'Invite somebody' })
      await until(async () => {
        if ((await invite.getAttribute('aria-expanded')) === 'true') return true
        await page.reload()
        await invite.waitFor()
        return false
      }, 'the page goes on at the invitation')
      await page.getByText('3 of 5 steps are done.').waitFor()
      await page.getByLabel('Email address').fill('not an address')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText('Enter an email address.').waitFor()
      await visitor.assertSound('an invitation to nowhere')
      await page.getByLabel('Email address').fill('colleague@example.com')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText('Send this link to colleague@example.com.').waitFor()
      assert.match(await page.getByRole('group', { name: 'Link of the invitation' }).innerText(), /^http.*#/)

      await page.getByRole('button', { name: /^Add content/ }).click()
      await page.getByRole('button', { name: 'Remove sample' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove sample' }).click()
      await page.getByText('The sample is removed.').waitFor()
      await page.getByRole('button', { name: 'Add sample' }).waitFor()
      const key = await stage.service.key(['knowledge:read', 'visibility:restricted'], 'first')
      const left = await stage.service.call('GET', '/api/knowledge/knowledge-entries', { key })
      assert.deepEqual(left.body, [])
      const categories = await stage.service.call('GET', '/api/knowledge/categories', { key })
      assert.deepEqual(categories.body, [], 'the category of the sample is gone, too')
      await visitor.close()
    },
  )

  inRest('removing the sample leaves alone what a person wrote into its category', async () => {
    await stage.foundOrganisation('second-first@x', 'second-first')
    const key = await stage.service.key(['knowledge:read', 'knowledge:write', 'visibility:restricted'], 'second-first')
    const visitor = await stage.visit(LOOKS[1])
    const { page } = visitor
    await visitor.signIn('second-first@x', PASSWORD, `${FIRST_STEPS}?step=content`)
    await page.getByRole('button', { name: 'Beispiel hinzufügen' }).click()
    await page.getByText('6 Beispiel-Einträge sind da.').first().waitFor()
    const { body: categories } = await stage.service.call('GET', '/api/knowledge/categories', { key })
    const own = { title: 'Unser eigener Eintrag', content: 'Er bleibt.', category_id: categories[0].id }
    await stage.service.call('POST', '/api/knowledge/knowledge-entries', { key, body: own })
    await page.getByRole('button', { name: 'Beispiel entfernen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Beispiel entfernen' }).click()
    await page.getByRole('button', { name: 'Beispiel hinzufügen' }).waitFor()
    const { body: left } = await stage.service.call('GET', '/api/knowledge/knowledge-entries', { key })
    assert.deepEqual(
      left.map(({ title }: { title: string }) => title),
      ['Unser eigener Eintrag'],
    )
    await visitor.close()
  })

  inGate(
    'every step can be left out by keyboard, and the page begins again at the first that is not done',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.founder, PASSWORD, FIRST_STEPS)
      await page.getByLabel('Name of your organisation').waitFor()
      const names = ['Add content', 'Search for the first time', 'Invite somebody', 'Connect an assistant']
      for (const [i, name] of names.entries()) {
        await page.getByRole('button', { name: 'Later' }).focus()
        await visitor.press('Enter')
        await visitor.focusOn(`${i + 2}${name}`)
      }
      assert.equal(await page.getByRole('button', { name: 'Later' }).count(), 0, 'after the last there is nothing')
      await page.goBack()
      await page.getByRole('button', { name: 'Invite', exact: true }).waitFor()
      await visitor.goTo(FIRST_STEPS)
      await page.getByLabel('Name of your organisation').waitFor()
      await visitor.close()
    },
  )

  inRest(
    'an administrator allows assistants with a switch in words, and the page says by itself when one has connected',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.admin, PASSWORD, CONNECT)
      const allow = page.getByRole('switch', { name: /^Assistants may connect/ })
      await allow.waitFor()
      assert.equal(await allow.isChecked(), false)
      const stored = (): Promise<unknown> => page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await Promise.all([stored(), allow.press('Space')])
      const registered = await stage.service.call('POST', '/oauth/register', {
        key: null,
        body: {
          client_name: 'Claude',
          redirect_uris: ['http://localhost:1/callback'],
          token_endpoint_auth_method: 'none',
        },
      })
      assert.equal(registered.status, 201, 'an assistant registers itself, without a key')
      await page
        .getByRole('group', { name: 'Address' })
        .filter({ hasText: `${stage.base}/mcp` })
        .waitFor()
      await page.getByRole('button', { name: 'Your assistant' }).click()
      await page.getByRole('option', { name: 'Cursor' }).click()
      assert.deepEqual(JSON.parse(await page.getByRole('group', { name: 'Configuration' }).innerText()), {
        mcpServers: { knowledge: { url: `${stage.base}/mcp` } },
      })
      await page.getByText('Waiting for your assistant.').waitFor()
      await visitor.assertSound('waiting for an assistant')

      const application = await stage.connect('Live assistant')
      const other = await page.context().newPage()
      await other.goto(application.authorizeUrl('knowledge:read visibility:internal'))
      await other.getByRole('button', { name: /^Continue as/ }).click()
      await other.getByRole('button', { name: 'Allow' }).click()
      await application.redeem(await application.answer())
      await page.getByText('Live assistant is connected.').waitFor()
      await visitor.assertSound('a connected assistant')

      await Promise.all([stored(), allow.press('Space')])
      const refused = await stage.service.call('POST', '/oauth/register', {
        key: null,
        body: {
          client_name: 'Late',
          redirect_uris: ['http://localhost:1/callback'],
          token_endpoint_auth_method: 'none',
        },
      })
      assert.equal(refused.status, 401, 'without the permission it needs a key again')
      const [grant] = (await stage.service.call('GET', '/api/knowledge/oauth-grants')).body
      await stage.service.call('DELETE', `/api/knowledge/oauth-grants/${grant.id}`)
      await visitor.close()
    },
  )

  inGate('a developer makes a key, and the line that the page shows searches with it', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.admin, PASSWORD, CONNECT)
    await page.getByRole('tab', { name: 'Programs' }).click()
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText('Say what the key is for.').waitFor()
    await page.getByLabel('What is it for?').fill('Intranet search')
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText('it is shown only this once').waitFor()
    const line = await page.getByRole('group', { name: '2. A first request' }).innerText()
    const [, key] = /Bearer (ks_[\w-]+)/.exec(line) ?? []
    const [, body] = /-d '(.*)'/.exec(line) ?? []
    const [, address] = /curl -s (\S+)/.exec(line) ?? []
    const { status, body: hits } = await stage.service.call('POST', new URL(address ?? '').pathname, {
      key,
      body: JSON.parse(body ?? ''),
    })
    assert.equal(status, 200)
    assert.equal(hits.length, 3)
    const { body: keys } = await stage.service.call('GET', '/api/knowledge/api-keys')
    const newKey = keys.find(({ name }: { name: string }) => name === 'Intranet search')
    assert.ok(!newKey.scopes.includes('knowledge:write'), 'it only reads')
    await stage.service.call('DELETE', `/api/knowledge/api-keys/${newKey.id}`)
    await visitor.close()
  })

  inRest('a reader connects an assistant of their own, and is told whom to ask for the rest', async () => {
    const visitor = await stage.visit(LOOKS[1])
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD, CONNECT)
    await page.getByText('Sie können einen Assistenten verbinden, wenn Ihre Organisation es erlaubt.').waitFor()
    assert.equal(await page.getByRole('switch').count(), 0)
    await page.getByRole('tab', { name: 'Programme' }).click()
    await page.getByText('Schlüssel stellt die Administration aus.').waitFor()
    await visitor.assertSound('programs of a reader')
    await visitor.close()
  })
}
