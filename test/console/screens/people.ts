import type { Screen } from '../screen.ts'

const PATH = '/console/settings/people'
const personPath: Screen['path'] = (sample) => `${PATH}/${sample.person('editor@x')}`

export const screens: readonly Screen[] = [
  { name: 'people', as: 'admin', path: PATH, ready: '.data-body [role=row]' },
  { name: 'people-nothing-found', as: 'admin', path: `${PATH}?q=nobody-has-this-name`, ready: '.empty' },
  { name: 'people-forbidden', as: 'reader', path: PATH, ready: '.empty' },
  {
    name: 'people-failed',
    as: 'admin',
    path: '/console',
    steps: async (page) => {
      await page.route('**/api/knowledge/users?*', (route) => route.abort())
      await page.goto(new URL(PATH, page.url()).href)
    },
    ready: '.notice-danger',
  },
  {
    name: 'people-inviting',
    as: 'admin',
    path: PATH,
    steps: async (page) => {
      await page.locator('.page-head .button-main').click()
      await page.locator('.dialog button[type=submit]').click()
    },
    ready: '.dialog .field-fault',
  },
  { name: 'people-invitations', as: 'admin', path: `${PATH}?part=invitations`, ready: '.data-body [role=row]' },
  {
    name: 'people-sending-again',
    as: 'admin',
    path: `${PATH}?part=invitations`,
    steps: async (page) => {
      await page.locator('.row-choices button').first().click()
      await page.locator('.dialog .button-main').click()
    },
    ready: '.dialog .code',
  },
  { name: 'person', as: 'admin', path: personPath, ready: '.leave-choice' },
  {
    name: 'person-self',
    as: 'admin',
    path: (sample) => `${PATH}/${sample.person('admin@localhost')}`,
    ready: '.notice',
  },
  { name: 'person-gone', as: 'admin', path: `${PATH}/0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11` },
  {
    name: 'person-disabling',
    as: 'admin',
    path: personPath,
    steps: (page) => page.locator('.leave-choice button').first().click(),
    onlyOpens: true,
    ready: '[role=alertdialog]',
  },
  {
    name: 'person-lessening',
    as: 'admin',
    path: personPath,
    steps: (page) => page.locator('[role=radiogroup] label').first().click(),
    ready: 'form .ending-access',
  },
  {
    name: 'person-lessening-failed',
    as: 'admin',
    path: personPath,
    steps: async (page) => {
      await page.route('**/access?*', (route) => route.abort())
      await page.locator('[role=radiogroup] label').first().click()
    },
    ready: 'form .notice-danger',
  },
  {
    name: 'person-erasing',
    as: 'admin',
    path: personPath,
    steps: async (page) => {
      await page.locator('.leave-choice button').last().click()
      await page.locator('[role=alertdialog] .button-danger').click()
    },
    ready: '[role=alertdialog] .field-fault',
  },
]
