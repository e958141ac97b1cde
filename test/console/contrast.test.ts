import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults, startChromium, WITHOUT_CHROMIUM } from '../support/chromium.ts'

describe('the check of contrast', { skip: WITHOUT_CHROMIUM }, () => {
  let browser: Browser
  let page: Page

  before(async () => {
    browser = await startChromium()
    page = await browser.newPage()
  })
  after(() => browser?.close())

  /** Returns the number of contrast faults that the gate's check finds on a white page, also in the whole run. */
  async function faultsOf(content: string): Promise<number> {
    await page.setContent(`<!doctype html><html lang="en"><title>Page</title><body style="background: #fff">${content}`)
    const faults = await accessibilityFaults(page, false, 'new colours')
    return faults.filter((line) => line.startsWith('color-contrast:')).length
  }

  test('finds grey text on a grey ground, each time', async () => {
    const grey = '<p style="color: #999; background: #ccc">Some words</p>'
    assert.equal(await faultsOf(grey), 1)
    assert.equal(await faultsOf(grey), 1)
  })

  test('passes a page of enough contrast, also where it knows all of its colours', async () => {
    const sound = '<p style="color: #222; background: #eee">Some words</p>'
    assert.equal(await faultsOf(sound), 0)
    assert.equal(await faultsOf(sound), 0)
  })

  test('finds a faulty combination of what passed on other pages', async () => {
    for (const [sound, faulty] of [
      // The same text and the same ground, each combined with another one.
      [
        '<p style="color: #767676">Some words</p><p style="background: #ccc">Some words</p>',
        '<p style="color: #767676; background: #ccc">Some words</p>',
      ],
      [
        '<p style="color: #757575">Some words</p>',
        '<div style="background: #bbb"><p style="color: #757575">Some words',
      ],
      // The same text on the same ground.
      [
        '<p style="color: #888; font-size: 30px">Some words</p>',
        '<p style="color: #888; font-size: 14px">Some words</p>',
      ],
      ['<p style="color: #737373">Some words</p>', '<div style="opacity: 0.5"><p style="color: #737373">Some words'],
    ] as const) {
      assert.equal(await faultsOf(sound), 0, sound)
      assert.equal(await faultsOf(faulty), 1, faulty)
    }
  })

  test('finds a faulty text after one of the same colours that axe-core does not judge', async () => {
    for (const [color, unjudged] of [
      ['#aaa', '<button disabled style="color: #aaa">Some words</button>'],
      ['#ababab', '<p style="color: #ababab; visibility: hidden">Some words</p>'],
      ['#acacac', '<p style="color: #acacac">x</p>'],
    ] as const) {
      const [ground, size] = ['background: #eee', 'font: 16px sans-serif']
      const first = unjudged.replace('style="', `style="${ground}; ${size}; `)
      assert.equal(await faultsOf(`${first}<p>Some words</p>`), 0, unjudged)
      assert.equal(await faultsOf(`${first}<p style="${ground}; ${size}; color: ${color}">Some words</p>`), 1, unjudged)
    }
  })

  test('finds a faulty text in an element that is only its contents', async () => {
    assert.equal(await faultsOf('<div style="display: contents"><p style="color: #adadad">Some words</p></div>'), 1)
  })

  test('refuses a page on which it judges no text', async () => {
    const unjudged = '<p style="background: url(data:,) #fff">Some words</p>'
    await assert.rejects(faultsOf(unjudged), /The contrast of no text on this page was judged/)
  })
})
