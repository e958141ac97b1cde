import assert from 'node:assert/strict'
import { ADMIN, CLIENTS, KEYS, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS } from './visitor.ts'

/** Declares the stories of applications that people connect or refuse. The first story expects empty lists. */
export function applicationStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate('a person allows an application less than it asks for, sees it in the list and disconnects it', async () => {
    const application = await stage.connect('Notes assistant')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(application.authorizeUrl('knowledge:read knowledge:write knowledge:delete visibility:internal'))
    await visitor.heading('Sign in')
    await page.getByText('“Notes assistant” wants to access your organisation’s knowledge.').waitFor()
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await visitor.heading('Allow “Notes assistant”?')
    for (const fact of ['Registered by your organisation', 'localhost', 'this computer', ADMIN, 'Default', '/mcp']) {
      assert.ok((await page.getByRole('main').innerText()).includes(fact), fact)
    }
    assert.ok(await page.locator('label').filter({ hasText: 'Delete entries' }).getByText('Caution').isVisible())
    await visitor.assertSound('consent')
    assert.ok(!(await page.getByLabel('Delete entries').isChecked()), 'what is marked is for people to tick')
    assert.ok(await page.getByLabel('Create and change entries').isChecked())
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await application.answer()
    await page.waitForURL(/callback/)
    const { scope, access_token: token } = await application.redeem(answer)
    assert.deepEqual(scope.split(' ').sort(), ['knowledge:read', 'knowledge:write', 'visibility:internal'])
    assert.equal(await stage.statusWith(token), 200)

    await visitor.goTo(CLIENTS)
    const grants = page.getByRole('table', { name: 'Connections' })
    await grants.getByRole('button', { name: 'Disconnect Notes assistant' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('“Notes assistant” is disconnected.').waitFor()
    await page.getByText('No application is connected.').waitFor()
    await page.getByText(`Assistants connect to ${stage.base}/mcp`).waitFor()
    assert.equal(await stage.statusWith(token), 401)

    await page.getByRole('button', { name: 'Remove Notes assistant' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No application is registered.').waitFor()
    await visitor.close()
  })

  inRest(
    'an application gets the administration only from a person who gives their password again, in both languages',
    async () => {
      for (const look of LOOKS) {
        const application = await stage.connect('Caretaker')
        const visitor = await stage.visitAlone(look)
        const { page } = visitor
        const isGerman = look.locale.startsWith('de')
        await visitor.goTo(application.authorizeUrl('knowledge:read tenant:admin'))
        await visitor.fillSignIn(ADMIN, PASSWORD)
        await page
          .locator('label')
          .filter({ has: page.locator('.badge-caution') })
          .locator('input')
          .check()
        const allow = page.getByRole('button', { name: isGerman ? 'Erlauben' : 'Allow' })
        await allow.click()
        const proof = page.getByRole('dialog', {
          name: isGerman ? 'Bestätigen Sie, dass Sie es sind' : 'Confirm it is you',
        })
        await proof.getByText(isGerman ? /^Caretaker darf danach/ : /^Caretaker may then administer/).waitFor()
        await visitor.assertSound(`the question who lets an application administer, ${look.locale}`)
        await proof.getByRole('button', { name: isGerman ? 'Abbrechen' : 'Cancel' }).click()
        await page.getByRole('alert').waitFor()
        await allow.click()
        const password = proof.getByLabel(isGerman ? 'Passwort' : 'Password', { exact: true })
        const confirm = proof.getByRole('button', { name: isGerman ? 'Bestätigen' : 'Confirm', exact: true })
        await password.fill('not the password')
        await confirm.click()
        await proof.getByRole('alert').waitFor()
        await password.fill(PASSWORD)
        await confirm.click()
        const { scope } = await application.redeem(await application.answer())
        assert.ok(scope.split(' ').includes('tenant:admin'))
        assert.deepEqual(visitor.complaints, [])
        await visitor.close()
      }
    },
  )

  inRest(
    'a permission marked with a caution must be ticked by hand, even if the application wants nothing else',
    async () => {
      const application = await stage.connect('Tidy assistant')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD)
      await visitor.goTo(application.authorizeUrl('knowledge:delete visibility:internal'))
      await page.getByRole('button', { name: /^Continue as/ }).click()
      await page.getByText('Tick what is marked “Caution” only if you want to allow it.').waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByRole('alert').waitFor()
      await visitor.assertSound('a consent to nothing')
      await page.getByLabel('Delete entries').check()
      await page.getByRole('button', { name: 'Allow' }).click()
      const { scope } = await application.redeem(await application.answer())
      await page.waitForURL(/callback/)
      assert.deepEqual(scope.split(' ').sort(), ['knowledge:delete', 'visibility:internal'])
      await visitor.close()
    },
  )

  inRest('a person signs in at the external provider, and names the organisation when asked', () =>
    stage.withoutLinkProof(async () => {
      stage.outside.subject = 'bo'
      stage.outside.accounts.set('bo', { email: 'both@x', email_verified: true })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.goTo(`/console/sign-in?return_to=${encodeURIComponent(CLIENTS)}`)
      await page.getByRole('link', { name: 'Continue with Company login' }).click()
      await page.getByText('Which organisation?').waitFor()
      await page.getByLabel('Organisation').fill('second')
      await page.getByRole('link', { name: 'Continue with Company login' }).click()
      await page.waitForURL(`${stage.base}${CLIENTS}`)
      await page.locator('.account').filter({ hasText: 'second' }).waitFor()

      const application = await stage.connect('Careful as well')
      await page.context().clearCookies()
      await visitor.signIn(ADMIN, PASSWORD)
      stage.outside.subject = 'admin'
      stage.outside.accounts.set('admin', { email: ADMIN, email_verified: true })
      await visitor.goTo(application.authorizeUrl('knowledge:read', { prompt: 'login' }))
      await page.getByRole('link', { name: 'Continue with Company login' }).click()
      await page.getByRole('button', { name: 'Continue as Administrator' }).click()
      await visitor.heading('Allow “Careful as well”?')
      await visitor.close()
    }),
  )

  inRest('an account of another organisation cannot allow the request, and may switch the account', async () => {
    const application = await stage.connect('Neighbourly')
    const visitor = await stage.visit()
    await stage.person('far@x', 'Fara Way', 'reader', 'second')
    await visitor.signIn('far@x', PASSWORD)
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.page.getByText('belongs to another organisation').waitFor()
    await visitor.assertSound('the request of another organisation')
    await visitor.page.getByRole('button', { name: 'Use another account' }).click()
    await visitor.fillSignIn('reader@x', PASSWORD)
    await visitor.heading('Allow “Neighbourly”?')
    // The refusal has the same heading; only the decision has this button.
    await visitor.page.getByRole('button', { name: 'Deny' }).waitFor()
    await visitor.close()
  })

  inRest('a signed-in person continues without a password and denies, and the application is told', async () => {
    const application = await stage.connect('Curious')
    const visitor = await stage.visit()
    await visitor.signIn('reader@x', PASSWORD)
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.page.getByRole('button', { name: 'Continue as Rita Reader' }).click()
    await visitor.heading('Allow “Curious”?')
    await visitor.page.getByRole('button', { name: 'Deny' }).click()
    assert.equal((await application.answer()).get('error'), 'access_denied')
    await visitor.page.waitForURL(/callback/)
    await visitor.close()
  })

  inRest('a person reads which app or program gets the answer, and not the web site in its address', async () => {
    const application = await stage.connect('Posing', ['com.evil.app://claude.ai/cb', 'https://claude.ai/cb'])
    const words = {
      'en-GB': {
        app: ['the app on this device that opens “com.evil.app:” addresses', 'Any app here could have claimed'],
        machine: ['(this computer)', 'Any program here could claim'],
      },
      'de-DE': {
        app: ['der App auf diesem Gerät, die Adressen mit „com.evil.app:“ öffnet', 'Jede App hier könnte'],
        machine: ['(dieser Rechner)', 'Jedes Programm hier könnte'],
      },
    }
    for (const look of LOOKS) {
      const visitor = await stage.visit(look)
      const { page } = visitor
      await visitor.signIn('reader@x', PASSWORD)
      for (const [kind, more] of [
        ['app', { redirect_uri: 'com.evil.app://claude.ai/cb' }],
        ['machine', {}],
      ] as const) {
        await visitor.goTo(application.authorizeUrl('knowledge:read', more))
        await page.locator('.button-main').click()
        await visitor.heading(/Posing/)
        const text = await page.getByRole('main').innerText()
        for (const said of words[look.locale][kind]) assert.ok(text.includes(said), text)
        assert.ok(!text.includes('claude.ai'), text)
        await visitor.assertSound(`consent for an answer to the ${kind}`)
      }
      await visitor.close()
    }
  })

  inRest(
    'an application may ask for a new sign-in, and a session that ends meanwhile is renewed in place',
    async () => {
      const application = await stage.connect('Careful')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn('reader@x', PASSWORD)
      await visitor.goTo(application.authorizeUrl('knowledge:read', { prompt: 'login' }))
      await page.getByText('“Careful” asks that you sign in again.').waitFor()
      await visitor.fillSignIn('reader@x', PASSWORD)
      await visitor.heading('Allow “Careful”?')
      await page.request.delete(`${stage.base}/api/session`, { headers: { origin: stage.base } })
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Your session has expired.').waitFor()
      await visitor.assertSound('a consent whose session ended')
      await visitor.fillSignIn('reader@x', PASSWORD)
      await page.getByRole('button', { name: 'Allow' }).click()
      const { scope } = await application.redeem(await application.answer())
      await page.waitForURL(/callback/)
      assert.equal(scope, 'knowledge:read')
      await visitor.close()
    },
  )

  inRest('keys and applications show to the minute when each was last used, in the person’s language', async () => {
    const { database } = stage.service
    await stage.issue('Used at noon', null)
    const application = await stage.connect('Used at noon too')
    // Close to noon in every inhabited time zone.
    const used = { last_used_at: Date.parse('2026-03-04T12:05:00Z') }
    await database.queries.updateTable('api_keys').set(used).where('name', '=', 'Used at noon').execute()
    await database.queries.updateTable('oauth_clients').set(used).where('id', '=', application.clientId).execute()
    for (const [locale, words] of [
      ['en-GB', /4 Mar 2026\s+\d\d:\d\d$/],
      ['de-DE', /4\. März 2026\s+\d\d:\d\d$/],
    ] as const) {
      const visitor = await stage.visit({ locale, colorScheme: 'light', width: 1280 })
      await visitor.signIn(ADMIN, PASSWORD, KEYS)
      for (const [path, name] of [
        [KEYS, 'Used at noon'],
        [CLIENTS, 'Used at noon too'],
      ]) {
        await visitor.goTo(path)
        const row = visitor.page.getByRole('row', { name: new RegExp(`^${name}`) })
        const moment = row.locator('time[datetime="2026-03-04T12:05:00.000Z"]')
        assert.match(await moment.innerText(), words)
        await visitor.assertSound(`last uses in ${path}, ${locale}`)
      }
      await visitor.close()
    }
  })

  inRest('a request of another browser, or an expired one, cannot be decided', async () => {
    const visitor = await stage.visit()
    await visitor.goTo('/oauth/interaction/somebody-elses')
    await visitor.heading('This request is no longer valid')
    await visitor.assertSound('a request that is over')
    await visitor.close()
  })
}
