import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { failureStories } from './failure-stories.ts'
import { firstStartStories } from './first-start-stories.ts'
import { guardStories } from './guard-stories.ts'
import { insightsStories } from './insights-stories.ts'
import { Stage } from './stage.ts'

describe('the first start, the insights and failures in a browser (the rest)', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  insightsStories(stage, 'rest')
  firstStartStories(stage, 'rest')
  failureStories(stage)
  guardStories(stage, 'rest')
})
