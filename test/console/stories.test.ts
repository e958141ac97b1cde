import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { accountStories } from './account-stories.ts'
import { applicationStories } from './application-stories.ts'
import { browsingStories } from './browsing-stories.ts'
import { budgetStories } from './budget-stories.ts'
import { categoryStories } from './category-stories.ts'
import { factorStories } from './factor-stories.ts'
import { feedStories } from './feed-stories.ts'
import { firstStartStories } from './first-start-stories.ts'
import { governingStories } from './governing-stories.ts'
import { groupStories } from './group-stories.ts'
import { guardStories } from './guard-stories.ts'
import { importStories } from './import-stories.ts'
import { insightsStories } from './insights-stories.ts'
import { keyStories } from './key-stories.ts'
import { laboratoryStories } from './laboratory-stories.ts'
import { operatorStories } from './operator-stories.ts'
import { pageStories } from './page-stories.ts'
import { partStories } from './part-stories.ts'
import { productStories } from './product-stories.ts'
import { searchStories } from './search-stories.ts'
import { signInStories } from './sign-in-stories.ts'
import { Stage } from './stage.ts'
import { writingStories } from './writing-stories.ts'

// One service and one browser for all of them: each costs as much as several stories.
describe('the console in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  signInStories(stage, 'often')
  keyStories(stage, 'often')
  applicationStories(stage, 'often')
  pageStories(stage, 'often')
  partStories(stage, 'often')
  searchStories(stage, 'often')
  governingStories(stage, 'often')
  operatorStories(stage, 'often')
  budgetStories(stage)
  categoryStories(stage, 'often')
  importStories(stage, 'often')
  feedStories(stage, 'often')
  groupStories(stage, 'often')
  writingStories(stage, 'often')
  browsingStories(stage, 'often')
  productStories(stage, 'often')
  laboratoryStories(stage, 'often')
  insightsStories(stage, 'often')
  firstStartStories(stage, 'often')
  guardStories(stage, 'often')
  accountStories(stage, 'often')
  factorStories(stage, 'often')
})
