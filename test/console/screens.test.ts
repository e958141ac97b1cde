import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { screenStories } from './screen-stories.ts'
import { Stage } from './stage.ts'

describe('every screen of the console', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  screenStories(stage)
})
