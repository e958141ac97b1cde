import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/platform/access/scopes.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { CONSOLE } from '../../src/identity/sessions/session-opener.ts'
import { findUser } from '../../src/identity/users/rules.ts'
import { type MailServer, textOf } from '../sessions/mail-server.ts'
import { ADMIN, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'

const PEOPLE = '/console/settings/people'
const PROFILE = '/console/profile'
const OTHER = 'another horse battery'

/** Waits for a message in the corner, and closes it, so that it covers nothing. */
async function said({ page }: Visitor, text: string | RegExp): Promise<void> {
  const toast = page.locator('.toast').filter({ hasText: text })
  await toast.waitFor()
  await toast.locator('button').click()
  await toast.waitFor({ state: 'detached' })
}

/** Opens the page of a person by the list. */
async function openPerson(visitor: Visitor, name: string): Promise<void> {
  await visitor.goTo(PEOPLE)
  await visitor.page.getByRole('link', { name, exact: true }).click()
  await visitor.heading(name)
}

/** Proves that the administrator is who acts, in the dialog that says what the act does. */
async function prove(page: Visitor['page'], act: string): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' })
  await proof.getByText(act).waitFor()
  await proof.getByLabel('Password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Confirm' }).click()
}

/** Declares the stories of how people come, change, and leave. */
export function accountStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const idOf = async (email: string) => (await findUser(stage.service.database.queries, 'default', email))!.id

  inGate(
    'by keyboard alone an administrator invites an editor by a link, who chooses a password and is signed in',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
      await visitor.heading('People')
      await page.getByRole('table').waitFor()
      await page.getByRole('button', { name: 'Invite person' }).focus()
      await visitor.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This service sends no mail').waitFor()
      await dialog.getByLabel('Email address').focus()
      await page.keyboard.type('reader@x')
      await visitor.press('Enter')
      await dialog.getByText('Somebody with this address is here already, or is invited.').waitFor()
      await visitor.focusOn('Email address')
      await visitor.press('Control+A')
      await page.keyboard.type('New.Editor@x')
      await visitor.press('Tab', 'ArrowDown')
      assert.ok(await dialog.getByRole('radio', { name: /Editor/ }).isChecked())
      await visitor.press('Tab', 'Enter')
      await page.getByRole('option', { name: /^Internal/ }).waitFor()
      await visitor.assertSound('the ceilings of an editor')
      await page.keyboard.type('Int')
      await visitor.press('Enter')
      await dialog.getByRole('button', { name: 'Invite', exact: true }).focus()
      await visitor.press('Enter')
      const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
      await visitor.press('Escape')
      await dialog.getByRole('button', { name: 'I have passed it on' }).focus()
      await visitor.press('Enter')
      assert.ok(!(await page.content()).includes(link))
      await page.getByRole('tab', { name: 'Invitations' }).focus()
      await visitor.press('Enter')
      await page.getByRole('row', { name: /new\.editor@x Editor sees up to Internal/ }).waitFor()

      const guest = await stage.visit()
      await guest.goTo(link)
      await guest.heading('You are invited')
      await guest.page.getByText('invites you to work with the knowledge of Default.').waitFor()
      assert.equal(await guest.page.getByLabel('Email address').inputValue(), 'new.editor@x')
      await guest.page.getByRole('button', { name: 'Accept and sign in' }).focus()
      await guest.press('Enter')
      await guest.focusOn('Your name')
      await guest.page.keyboard.type('Nora New')
      await guest.press('Tab')
      await guest.page.keyboard.type('too short')
      await guest.press('Enter')
      await guest.page.getByText('Choose a password of 12 to 200 characters.').waitFor()
      await guest.focusOn('Password')
      // At the pace of a person: a form takes an Enter that follows within 50 ms for the same one.
      await guest.page.keyboard.type(' no more', { delay: 20 })
      await guest.press('Enter')
      await guest.page.locator('.account').filter({ hasText: 'Nora New' }).waitFor()
      await guest.goTo(link)
      await guest.heading('This invitation does not work any more')
      await guest.close()

      await page.reload()
      await page.getByRole('tab', { name: 'People', exact: true }).click()
      await page.getByRole('row', { name: /Nora New.*Editor Internal Active/ }).waitFor()
      await visitor.close()
    },
  )

  inRest('a person who accepts while another one is signed in is told so, and is then signed in', async () => {
    const body = { email: 'second.person@x', role: 'reader' }
    const invited = await stage.service.call('POST', '/api/knowledge/invitations', { body })
    const visitor = await stage.visit(LOOKS[1])
    const { page } = visitor
    await visitor.signIn('reader@x', PASSWORD)
    await visitor.goTo(invited.body.link)
    await page.getByText('Sie sind hier als Rita Reader angemeldet.').waitFor()
    await visitor.assertSound('an invitation in the browser of somebody else')
    await page.locator('[name=name]').fill('Zoë Zweite')
    await page.locator('[name=password]').fill(PASSWORD)
    // The service is away for a moment: the typed text stays.
    await page.route('**/api/session/invitation', (route) => route.abort())
    await page.locator('form button[type=submit]').click()
    await page.getByText('Der Dienst ist nicht erreichbar.').waitFor()
    assert.equal(await page.locator('[name=name]').inputValue(), 'Zoë Zweite')
    await page.unroute('**/api/session/invitation')
    await page.locator('form button[type=submit]').click()
    await page.locator('.account').filter({ hasText: 'ZZ' }).waitFor()
    await visitor.close()
  })

  inRest('an invitation is sent again by a new link, then withdrawn', async () => {
    const body = { email: 'undecided@x', role: 'reader' }
    const first = await stage.service.call('POST', '/api/knowledge/invitations', { body })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, `${PEOPLE}?part=invitations`)
    await page.getByRole('button', { name: 'Send again: invitation of undecided@x' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    assert.notEqual(link, first.body.link)
    await page.getByRole('button', { name: 'I have passed it on' }).click()
    const guest = await stage.visit()
    await guest.goTo(first.body.link)
    await guest.heading('This invitation does not work any more')
    await guest.goTo(link)
    await guest.heading('You are invited')
    await page.getByRole('button', { name: 'Withdraw the invitation of undecided@x' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await said(visitor, 'The invitation of undecided@x is withdrawn.')
    assert.equal(await page.getByText('undecided@x').count(), 0)
    // The open page shows it too, as soon as the person tries.
    await guest.page.getByLabel('Your name').fill('Una')
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Accept and sign in' }).click()
    await guest.heading('This invitation does not work any more')
    await guest.close()
    await visitor.close()
  })

  inRest('people are found by name, role and status, the address says which, and Back undoes one choice', async () => {
    await stage.person('findable@x', 'Fina Findable', 'editor')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    const row = page.getByRole('row', { name: /Fina Findable/ })
    await page.getByLabel('Search by name or email address').fill('FINDABLE')
    await page.waitForURL((url) => url.searchParams.get('q') === 'FINDABLE')
    await row.waitFor()
    await page.getByRole('button', { name: /Role/ }).click()
    await page.getByRole('option', { name: 'Reader' }).click()
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.goBack()
    await row.waitFor()
    await page.goBack()
    await page.getByRole('row', { name: /Rita Reader/ }).waitFor()
    assert.equal(await page.getByLabel('Search by name or email address').inputValue(), '')
    await visitor.goTo(`${PEOPLE}?q=findable&role=reader&state=nonsense`)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row.waitFor()
    await visitor.close()
  })

  inRest('a role and a ceiling are given in words, and the session of the person follows', async () => {
    await stage.person('rising@x', 'Rosa Rising', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await openPerson(visitor, 'Rosa Rising')
    await page.getByRole('textbox', { name: 'Name' }).fill('')
    await page.locator('label').filter({ hasText: 'Also writes, changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Please enter a name.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Rosa Risen')
    // The session ends meanwhile; no typed text is lost.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await said(visitor, 'Saved')
    await visitor.heading('Rosa Risen')
    const { role, name } = (await stage.service.call('GET', `/api/knowledge/users/${await idOf('rising@x')}`)).body
    assert.deepEqual([role, name], ['editor', 'Rosa Risen'])
    await visitor.close()
  })

  inRest('a name that is corrected in an old tab takes back no role that another person set meanwhile', async () => {
    await stage.person('lowered@x', 'Lena Lowred', 'admin')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await openPerson(visitor, 'Lena Lowred')
    const path = `/api/knowledge/users/${await idOf('lowered@x')}`
    await stage.service.call('PATCH', path, { body: { role: 'reader', ceiling: 'public' } })
    await page.getByRole('textbox', { name: 'Name' }).fill('Lena Lowered')
    await page.getByRole('button', { name: 'Save' }).click()
    await said(visitor, 'Saved')
    const { name, role, ceiling } = (await stage.service.call('GET', path)).body
    assert.deepEqual([name, role, ceiling], ['Lena Lowered', 'reader', 'public'])
    assert.ok(await page.getByRole('radio', { name: /^Reader/ }).isChecked(), 'and the form shows it')
    await visitor.close()
  })

  inGate(
    'an administrator signs a person out everywhere, gives a link for a new password, and the person chooses one',
    async () => {
      await stage.person('lost@x', 'Lou Lost', 'reader')
      const lost = await stage.visit()
      await lost.signIn('lost@x', PASSWORD)
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
      await openPerson(visitor, 'Lou Lost')
      await page
        .getByRole('table', { name: 'Sign-ins' })
        .getByText(/on Linux|Chrome/)
        .waitFor()
      await visitor.assertSound('where somebody is signed in')
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await said(visitor, 'Lou Lost is signed out everywhere.')
      await page.getByText('Not signed in anywhere.').waitFor()
      await lost.goTo(PROFILE)
      await lost.heading('Sign in')
      await page.getByRole('button', { name: 'Create a password link' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create a password link' }).click()
      await prove(page, 'You are making a link for Lou Lost.')
      const link = await page.getByLabel('Link', { exact: true }).inputValue()
      await page.getByRole('button', { name: 'I have passed it on' }).click()

      await lost.goTo(link)
      await lost.heading('Choose a new password')
      assert.equal(await lost.page.getByLabel('Email address').inputValue(), 'lost@x')
      await lost.page.getByLabel('New password').fill('short')
      await lost.page.getByRole('button', { name: 'Save password' }).click()
      await lost.page.getByText('Choose a password of 12 to 200 characters.').waitFor()
      await lost.page.getByLabel('New password').fill(OTHER)
      await lost.page.locator('label').filter({ hasText: 'Show password' }).click()
      assert.equal(await lost.page.getByLabel('New password').getAttribute('type'), 'text')
      await lost.page.getByRole('button', { name: 'Save password' }).click()
      await lost.heading('Your new password is saved')
      await lost.page.getByRole('link', { name: 'Sign in' }).click()
      await lost.fillSignIn('lost@x', OTHER)
      await lost.page.locator('.account').filter({ hasText: 'Lou Lost' }).waitFor()
      await lost.goTo(link)
      await lost.heading('This link does not work any more')
      await lost.close()
      await visitor.close()
    },
  )

  inRest('second factors that a person lost are reset, and the page says what ends', async () => {
    await stage.person('phoneless@x', 'Phil Phoneless', 'reader')
    const { database } = stage.service
    const app = { tenant_id: 'default', user_id: await idOf('phoneless@x'), sealed: 'x', last_step: null }
    const pending = { confirmed_at: Date.now(), pending_sealed: null, pending_until: null }
    await database.queries
      .insertInto('user_totp')
      .values({ ...app, ...pending })
      .execute()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await openPerson(visitor, 'Phil Phoneless')
    await page.getByRole('button', { name: 'Reset second factors' }).click()
    await page.getByText('Make sure that it was really Phil Phoneless who asked.').waitFor()
    await visitor.assertSound('the question before a reset of second factors')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factors' }).click()
    await prove(page, 'You are removing all second factors of Phil Phoneless.')
    await said(visitor, 'The second factors of Phil Phoneless are reset.')
    assert.equal(await page.getByRole('button', { name: 'Reset second factors' }).count(), 0)
    await visitor.close()
  })

  inGate('a person who leaves is disabled, enabled, and erased once their address was typed', async () => {
    await stage.person('leaver@x', 'Lea Leaver', 'editor')
    const leaver = await stage.visit()
    await leaver.signIn('leaver@x', PASSWORD)
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await openPerson(visitor, 'Lea Leaver')
    const question = page.getByRole('alertdialog')
    await page.getByRole('button', { name: 'Disable' }).click()
    await visitor.focusOn('Cancel')
    await question.getByRole('button', { name: 'Disable' }).click()
    await said(visitor, 'Lea Leaver is disabled.')
    await page.getByText(/Disabled since/).waitFor()
    await leaver.goTo(PROFILE)
    await leaver.heading('Sign in')
    await leaver.close()
    await page.getByRole('button', { name: 'Enable' }).click()
    await said(visitor, 'Lea Leaver is enabled.')
    await page.getByRole('button', { name: 'Erase …' }).click()
    await question.getByText('Their personal notes are deleted with all versions.').waitFor()
    await question.getByRole('button', { name: 'Erase for good' }).click()
    await question.getByText('This is not the email address of the person.').waitFor()
    await question.getByLabel('Type leaver@x to confirm').fill('leaver@x')
    await question.getByRole('button', { name: 'Erase for good' }).click()
    await said(visitor, 'Lea Leaver is erased.')
    await visitor.heading('People')
    await page.getByRole('row', { name: /Rita Reader/ }).waitFor()
    assert.equal(await page.getByText('Lea Leaver').count(), 0)
    assert.equal(await findUser(stage.service.database.queries, 'default', 'leaver@x'), null)
    await visitor.close()
  })

  inRest(
    'the question before a person is disabled lists what ends, and hands over what somebody answers for',
    async () => {
      await stage.person('founder@x', 'Flo Founder', 'admin')
      await stage.person('heir@x', 'Hei Heir', 'admin')
      const { database } = stage.service
      const founder = await idOf('founder@x')
      const issue = async (name: string) => {
        const order = { name, scopes: ['knowledge:read', 'visibility:public'], userId: null, expiresAt: null }
        const issuer = { kind: 'session', userId: founder, credentialId: null, audit: CONSOLE } as const
        return (await issueApiKey(database, 'default', order, issuer)).key
      }
      const [feed, robot] = [await issue('Feed'), await issue('Robot \u202Etobor')]
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
      await openPerson(visitor, 'Flo Founder')
      await page.getByRole('button', { name: 'Disable' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByText('Flo Founder issued these keys').waitFor()
      // The name turns nothing around.
      await question.getByText(/Key “Robot \[RLO\]tobor”/).waitFor()
      await question.getByRole('combobox', { name: /Key “Feed”/ }).fill('Hei')
      await page.getByRole('option', { name: /Hei Heir/ }).click()
      await visitor.assertSound('the question with what ends')
      await question.getByRole('button', { name: 'Disable' }).click()
      await said(visitor, 'Flo Founder is disabled.')
      assert.deepEqual([await stage.statusWith(feed), await stage.statusWith(robot)], [200, 401])
      await visitor.close()
    },
  )

  inRest('before a person gets less, the form lists what ends, and hands over what somebody answers for', async () => {
    await stage.person('lessened@x', 'Leo Lessened', 'admin')
    await stage.person('keeper@x', 'Kim Keeper', 'admin')
    const { database } = stage.service
    const person = await idOf('lessened@x')
    const issue = async (name: string, userId: string | null, scopes: readonly Scope[]) => {
      const issuer = { kind: 'session', userId: person, credentialId: null, audit: CONSOLE } as const
      return (await issueApiKey(database, 'default', { name, scopes, userId, expiresAt: null }, issuer)).key
    }
    const beyond = ['knowledge:read', 'knowledge:delete', 'visibility:public'] as const
    const [feed, robot] = [await issue('Feed', null, beyond), await issue('Robot', null, beyond)]
    const reading = await issue('Reading', null, ['knowledge:read', 'visibility:public'])
    await issue('Own', person, ['knowledge:write', 'knowledge:prompts'])
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await openPerson(visitor, 'Leo Lessened')
    const save = page.getByRole('button', { name: 'Save' })
    const choose = (role: string) => page.getByRole('radiogroup').locator('label').filter({ hasText: role }).click()
    const form = page.locator('form')
    // The list cannot be read: nothing is saved before the person has seen it.
    await page.route('**/access?*', (route) => route.abort())
    await choose('Reader')
    await form.getByRole('alert').waitFor()
    assert.ok(await save.isDisabled())
    await page.unroute('**/access?*')
    await form.getByRole('button', { name: 'Try again' }).click()
    await form.getByText(/lose for good the right to offer prompts to others: Key “Own”/).waitFor()
    assert.equal(await form.getByText('Reading').count(), 0, 'a reader could issue it too')
    await form.getByRole('combobox', { name: /Key “Feed”/ }).fill('Kim')
    await page.getByRole('option', { name: /Kim Keeper/ }).click()
    await visitor.assertSound('the form with what ends')
    // A role that takes nothing away asks nothing, and hands nothing over.
    await choose('Administrator')
    await form.getByText('This takes something away.').waitFor({ state: 'detached' })
    await choose('Reader')
    await save.click()
    await said(visitor, 'Saved')
    const statuses = [await stage.statusWith(feed), await stage.statusWith(robot), await stage.statusWith(reading)]
    assert.deepEqual(statuses, [200, 401, 200])
    await visitor.close()
  })

  inRest('people may not change themselves in the list, and one who may not manage people is told so', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, `${PEOPLE}/${await idOf(ADMIN)}`)
    await page.getByText('This is you.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0)
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await visitor.heading('Your account')
    await visitor.close()

    const reader = await stage.visit()
    await reader.signIn('reader@x', PASSWORD, PEOPLE)
    await reader.page.getByText('Only administrators can manage people.').waitFor()
    await reader.close()
  })

  inRest('an administrator who sees less looks at a person who may do more, and gives only own rights', async () => {
    await stage.person('bounded@x', 'Bea Bounded', 'admin')
    const body = { ceiling: 'internal' }
    await stage.service.call('PATCH', `/api/knowledge/users/${await idOf('bounded@x')}`, { body })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('bounded@x', PASSWORD, `${PEOPLE}/${await idOf(ADMIN)}`)
    await page.getByText('This person may do more than you.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    await visitor.assertSound('the page of a person who may do more')
    await visitor.goTo(PEOPLE)
    await page.getByRole('button', { name: 'Invite person' }).click()
    await page.getByRole('dialog').locator('label').filter({ hasText: 'Editor' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Sees entries up to/ })
      .click()
    assert.deepEqual(
      (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Internal', 'Community', 'Public'],
    )
    await visitor.close()
  })

  inRest('people change their name and language, and a new browser speaks the language of the account', async () => {
    await stage.person('own@x', 'Otto Own', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('own@x', PASSWORD)
    await page.locator('.account').click()
    await page.getByRole('menuitem', { name: 'Profile and security' }).click()
    await visitor.heading('Your account')
    await page.getByRole('textbox', { name: 'Name' }).fill('Otto Eigen')
    await page.getByRole('button', { name: /Language/ }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await visitor.heading('Ihr Konto')
    await page.locator('.account').filter({ hasText: 'Otto Eigen' }).waitFor()
    await visitor.close()

    const elsewhere = await stage.visit()
    await elsewhere.signIn('own@x', PASSWORD, PROFILE)
    await elsewhere.heading('Ihr Konto')
    // A choice in this browser counts more.
    await elsewhere.page.locator('.account').click()
    await elsewhere.page.getByRole('menuitemradio', { name: 'English' }).click()
    await elsewhere.press('Escape')
    await elsewhere.heading('Your account')
    await elsewhere.page.reload()
    await elsewhere.heading('Your account')
    await elsewhere.close()
  })

  inGate(
    'people change their password with the old one, see where they are signed in, and sign out there',
    async () => {
      await stage.person('careful@x', 'Cleo Careful', 'reader')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn('careful@x', PASSWORD, `${PROFILE}?part=security`)
      await page.getByRole('button', { name: 'Change password' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Present password').fill('not the password')
      await dialog.getByLabel('New password').fill(OTHER)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Wrong password').waitFor()
      await visitor.focusOn('Present password')
      assert.equal(await dialog.getByLabel('New password').inputValue(), OTHER)
      await dialog.getByLabel('Present password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await said(visitor, 'Your new password is saved.')

      const phone = await stage.visit(LOOKS[1])
      await phone.signIn('careful@x', OTHER, `${PROFILE}?part=sessions`)
      await phone.page.getByText('Dieser Browser').waitFor()
      await page.getByRole('tab', { name: 'Sign-ins' }).click()
      await page.getByRole('button', { name: /Sign out: sign-in of/ }).click()
      await said(visitor, 'That browser is signed out.')
      await phone.goTo(PROFILE)
      await phone.heading('Anmelden')
      await phone.close()
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await visitor.heading('Sign in')
      await visitor.close()
    },
  )

  inRest('where the service sends no mail, no person is sent to a page that could not help', async () => {
    const visitor = await stage.visit()
    await visitor.goTo('/console/sign-in')
    await visitor.page.locator('form').waitFor()
    assert.equal(await visitor.page.getByRole('link', { name: 'Forgot your password?' }).count(), 0)
    await visitor.goTo('/console/forgotten-password')
    await visitor.heading('This service sends no mail')
    await visitor.assertSound('a forgotten password without mail')
    await visitor.close()
  })
}

/** Declares the stories of a service that sends mail. */
export function mailStories(stage: Stage, mail: () => MailServer): void {
  const linkIn = (text: string) => /^http:\/\/\S+\/console\/\S+#[\w-]{43}$/m.exec(text)![0]

  test('a person who forgot the password gets a link by mail, chooses a new one and signs in', async () => {
    await stage.person('forgetful@x.example', 'Fay Forgetful', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo('/console/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await visitor.heading('Forgot your password?')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Please fill in this field.').waitFor()
    await page.getByLabel('Email address').fill('forgetful@x.example')
    await visitor.assertSound('asking for a link')
    await page.getByRole('button', { name: 'Send link' }).click()
    await visitor.heading('Look into your mail')
    await visitor.assertSound('a link on its way')
    await visitor.goTo(linkIn(textOf(await mail().mailTo('forgetful@x.example'))))
    await page.getByLabel('New password').fill(OTHER)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await visitor.fillSignIn('forgetful@x.example', OTHER)
    await page.locator('.account').filter({ hasText: 'Fay Forgetful' }).waitFor()
    await visitor.close()
  })

  test('an invitation and a link for a new password are mailed, and no page shows them', async () => {
    await stage.person('waiting@x.example', 'Wim Waiting', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, PEOPLE)
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The person gets an email with a link').waitFor()
    await dialog.getByLabel('Email address').fill('mailed@x.example')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await said(visitor, 'The invitation is on its way to mailed@x.example.')
    const guest = await stage.visit()
    await guest.goTo(linkIn(textOf(await mail().mailTo('mailed@x.example'))))
    await guest.heading('You are invited')
    await guest.close()
    await openPerson(visitor, 'Wim Waiting')
    await page.getByRole('button', { name: 'Create a password link' }).click()
    await dialog.getByRole('button', { name: 'Create a password link' }).click()
    await prove(page, 'You are making a link for Wim Waiting.')
    await said(visitor, 'The link is on its way to waiting@x.example.')
    assert.match(textOf(await mail().mailTo('waiting@x.example')), /\/console\/new-password#/)
    await visitor.close()
  })
}
