import { after, before, describe } from 'node:test'
import { MailServer } from '../sessions/mail-server.ts'
import { WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { accountStories, mailStories } from './account-stories.ts'
import { factorStories } from './factor-stories.ts'
import { Stage } from './stage.ts'

describe('people, accounts and second factors in a browser (the rest)', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  before(() => stage.open())
  after(() => stage.close())
  accountStories(stage, 'rest')
  factorStories(stage, 'rest')
})

describe('accounts with mail in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  const stage = new Stage()
  let mail: MailServer
  before(async () => {
    mail = await MailServer.start()
    const SECRET_KEY = 'a secret of at least 32 characters'
    await stage.open({ SMTP_URL: mail.url, MAIL_FROM: 'knowledge@service.example', SECRET_KEY })
  })
  after(async () => {
    await stage.close()
    await mail.stop()
  })
  mailStories(stage, () => mail)
})
