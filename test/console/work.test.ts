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

describe('what is told rarely: daily work in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  categoryStories(stage, 'rarely')
  importStories(stage, 'rarely')
  feedStories(stage, 'rarely')
  groupStories(stage, 'rarely')
  writingStories(stage, 'rarely')
  browsingStories(stage, 'rarely')
  productStories(stage, 'rarely')
  laboratoryStories(stage, 'rarely')
  editorDayStories(stage)
})
