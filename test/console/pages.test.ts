import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { applicationStories } from './application-stories.ts'
import { browsingStories } from './browsing-stories.ts'
import { budgetStories } from './budget-stories.ts'
import { categoryStories } from './category-stories.ts'
import { groupStories } from './group-stories.ts'
import { importStories } from './import-stories.ts'
import { keyStories } from './key-stories.ts'
import { laboratoryStories } from './laboratory-stories.ts'
import { governingStories } from './governing-stories.ts'
import { operatorStories } from './operator-stories.ts'
import { pageStories } from './page-stories.ts'
import { partStories } from './part-stories.ts'
import { productStories } from './product-stories.ts'
import { screenStories } from './screen-stories.ts'
import { searchStories } from './search-stories.ts'
import { signInStories } from './sign-in-stories.ts'
import { Stage } from './stage.ts'
import { writingStories } from './writing-stories.ts'

describe('the console in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  signInStories(stage)
  keyStories(stage)
  applicationStories(stage)
  pageStories(stage)
  partStories(stage)
  categoryStories(stage)
  importStories(stage)
  groupStories(stage)
  writingStories(stage)
  browsingStories(stage)
  productStories(stage)
  laboratoryStories(stage)
  screenStories(stage)
  searchStories(stage)
  governingStories(stage)
  operatorStories(stage)
  budgetStories(stage)
})
