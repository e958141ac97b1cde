import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { applicationStories } from './application-stories.ts'
import { governingStories } from './governing-stories.ts'
import { keyStories } from './key-stories.ts'
import { operatorStories } from './operator-stories.ts'
import { pageStories } from './page-stories.ts'
import { partStories } from './part-stories.ts'
import { searchStories } from './search-stories.ts'
import { signInStories } from './sign-in-stories.ts'
import { Stage } from './stage.ts'

describe('the console in a browser (the rest)', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  signInStories(stage, 'rest')
  keyStories(stage, 'rest')
  applicationStories(stage, 'rest')
  pageStories(stage, 'rest')
  partStories(stage, 'rest')
  searchStories(stage, 'rest')
  governingStories(stage, 'rest')
  operatorStories(stage, 'rest')
})
