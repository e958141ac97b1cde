import type { Screen } from '../screen.ts'

const first = async (page: Parameters<NonNullable<Screen['steps']>>[0]): Promise<void> =>
  page.locator('.groups-list a').first().click()

const fill = async (page: Parameters<NonNullable<Screen['steps']>>[0]): Promise<void> => {
  await page.locator('.page-head .button-main').click()
  await page.locator('.dialog [name=name]').fill('Neues Lager')
  await page.locator('.dialog button[type=submit]').click()
}

export const screens: readonly Screen[] = [
  { name: 'projects', as: 'editor', path: '/console/projects', ready: '.groups, .empty' },
  { name: 'projects-made', as: 'editor', path: '/console/projects', steps: fill, ready: '.groups-head' },
  { name: 'workspaces-made', as: 'admin', path: '/console/workspaces', steps: fill, ready: '.data-table' },
  { name: 'workspaces', as: 'admin', path: '/console/workspaces', ready: '.groups, .empty' },
  {
    name: 'site-new',
    as: 'admin',
    path: '/console/site-entries',
    steps: (page) => page.locator('.page-head .button-main').click(),
    onlyOpens: true,
    ready: '[role=dialog]',
  },
  {
    name: 'site-entries',
    as: 'admin',
    path: '/console/site-entries',
    steps: first,
    onlyOpens: true,
    ready: '.groups-head',
  },
]
