import { after, before, describe } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { repeatedConsentAttacks } from './repeated-consent-attacks.ts'
import { codeAttacks } from './code-attacks.ts'
import { consentAttacks } from './consent-attacks.ts'
import { clientAttacks } from './client-attacks.ts'
import { documentAttacks } from './document-attacks.ts'
import { endingAttacks } from './ending-attacks.ts'
import { keyAttacks } from './key-attacks.ts'
import { writesBounded } from './limits.ts'
import { malformedRequests } from './malformed.ts'
import { redirectAttacks } from './redirect-attacks.ts'
import { refreshAttacks } from './refresh-attacks.ts'
import { secretsKept } from './secrets.ts'
import { selfActingAttacks } from './self-acting-attacks.ts'
import { Stage } from './stage.ts'
import { tokenAttacks } from './token-attacks.ts'

/** All attacks on one service. No attack may change the service's state for the others. */
onAnyDatabase('attacks on OAuth', (kind) => {
  let stage: Stage
  before(async () => {
    stage = await Stage.start(kind)
  })
  after(() => stage.stop())

  describe('on codes', () => codeAttacks(() => stage))
  describe('on clients', () => clientAttacks(() => stage))
  describe('through clients that act for themselves', () => selfActingAttacks(() => stage))
  describe('with API keys in place of client secrets', () => keyAttacks(() => stage))
  describe('on documents of clients', () => documentAttacks(() => stage))
  describe('on consent', () => consentAttacks(() => stage))
  describe('by redirects', () => redirectAttacks(() => stage))
  describe('on allowing again', () => repeatedConsentAttacks(() => stage))
  describe('with malformed requests', () => malformedRequests(() => stage))
  describe('by sheer number', () => writesBounded(() => stage))
  describe('on secrets', () => secretsKept(() => stage))
  describe('on endings', () => endingAttacks(() => stage))
  describe('on refresh tokens', () => refreshAttacks(() => stage))
  describe('on tokens', () => tokenAttacks(() => stage))
})
