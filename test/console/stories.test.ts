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
  signInStories(stage, 'gate')
  keyStories(stage, 'gate')
  applicationStories(stage, 'gate')
  pageStories(stage, 'gate')
  partStories(stage, 'gate')
  searchStories(stage, 'gate')
  governingStories(stage, 'gate')
  operatorStories(stage, 'gate')
  budgetStories(stage)
  categoryStories(stage, 'gate')
  importStories(stage, 'gate')
  feedStories(stage, 'gate')
  groupStories(stage, 'gate')
  writingStories(stage, 'gate')
  browsingStories(stage, 'gate')
  productStories(stage, 'gate')
  laboratoryStories(stage, 'gate')
  insightsStories(stage, 'gate')
  firstStartStories(stage, 'gate')
  guardStories(stage, 'gate')
  accountStories(stage, 'gate')
  factorStories(stage, 'gate')
})
