import { after, before, describe } from 'node:test'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { browsingStories } from './browsing-stories.ts'
import { categoryStories } from './category-stories.ts'
import { editorDayStories } from './editor-day-stories.ts'
import { feedStories } from './feed-stories.ts'
import { groupStories } from './group-stories.ts'
import { importStories } from './import-stories.ts'
import { laboratoryStories } from './laboratory-stories.ts'
import { productStories } from './product-stories.ts'
import { Stage } from './stage.ts'
import { writingStories } from './writing-stories.ts'

describe('daily work in a browser (the rest)', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  categoryStories(stage, 'rest')
  importStories(stage, 'rest')
  feedStories(stage, 'rest')
  groupStories(stage, 'rest')
  writingStories(stage, 'rest')
  browsingStories(stage, 'rest')
  productStories(stage, 'rest')
  laboratoryStories(stage, 'rest')
  editorDayStories(stage)
})
