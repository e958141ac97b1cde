import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../config.ts'
import { rotateSeals } from '../../composition/seals/rotation.ts'
import { keyName, purposesOf, trySeals } from '../../composition/seals/sealed.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  forgetFormerSecret,
  formerSecretFile,
  readFormerSecret,
  replaceSecretFile,
  secretFile,
} from '../../platform/secret-file.ts'
import { KNOWN_DEVICE_DAYS } from '../../identity/sessions/known-devices.ts'
import { action, runAction } from './actions.ts'
import { refuseMore } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { withContext } from './context.ts'
import { CommandFailed } from './failure.ts'
import { formerHolderConcern } from './former-holders.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'

/** Sealed values of the database, by the key that opens them. */
interface Seals {
  readonly all: number
  readonly former: number
  readonly shut: number
  readonly formerPurposes: string
  readonly shutPurposes: string
}

async function sealsOf({ queries }: Database, config: Config): Promise<Seals> {
  const trials = await trySeals(queries, config, null)
  const [former, shut] = ['former', null].map((key) => trials.filter(({ openedBy }) => openedBy === key))
  return {
    all: trials.length,
    former: former.length,
    shut: shut.length,
    formerPurposes: purposesOf(former),
    shutPurposes: purposesOf(shut),
  }
}

const status = action(
  'show which key opens what is sealed',
  {
    usage: 'secret status',
    about: 'Tells how many sealed values the present key opens, how many a former one does, and how many none.',
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'secret status')
    return withContext(call, { create: false }, async ({ database, config }) => {
      tell(await sealsOf(database, config), config, call)
      return 0
    })
  },
)

const renew = action(
  'make a new key, where the key is a file',
  {
    usage: 'secret new',
    about:
      'Makes a new secret.key in DATA_DIR, and keeps the present one beside it as secret.key.former, which still opens\n' +
      'what it has sealed. Then start every process again, and call: secret rotate. A key that is a setting is replaced\n' +
      'by the setting: give SECRET_KEY a new value, and SECRET_KEY_FORMER the present one.',
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'secret new')
    const { secretKey, dataDir } = readConfig(call.env)
    if (secretKey !== null)
      throw new CommandFailed(
        'The key is a setting: give SECRET_KEY a new value, and SECRET_KEY_FORMER the present one, start every process ' +
          `again, and call: ${calledAs('secret rotate')}`,
      )
    replaceSecretFile(dataDir)
    call.stderr.write(
      `${keyName({ secretKey, dataDir })} is new, and the one before is ${formerSecretFile(dataDir)}.\n` +
        `Start every process again, then call: ${calledAs('secret rotate')}\n`,
    )
    return 0
  },
)

const rotate = action(
  'seal everything anew with the present key',
  {
    usage: 'secret rotate',
    about:
      'Seals anew, with the present key, every stored value that a former key has sealed, while the service runs: secrets\n' +
      'of authenticator apps, signing keys, salts of visitors, mail that waits. Every process must have the present key.\n' +
      'It may be ended and called again; it tells what remains.',
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'secret rotate')
    return withContext(call, { create: false }, async ({ database, config }) =>
      interruptible(async (signal) => {
        const { renewed, isInterrupted } = await rotateSeals(database, config, signal)
        if (hasKey(config)) call.stderr.write(`${renewed} sealed values are sealed anew with ${keyName(config)}.\n`)
        if (isInterrupted) {
          call.stderr.write(`Interrupted: call ${calledAs('secret rotate')} again to go on.\n`)
          return INTERRUPTED
        }
        const seals = await sealsOf(database, config)
        tell(seals, config, call)
        return seals.former > 0 ? 1 : 0
      }),
    )
  },
)

const forget = action(
  'delete the key before, once nothing needs it',
  {
    usage: 'secret forget',
    about:
      'Deletes secret.key.former from DATA_DIR, unless it still opens something that the present key does not, or a\n' +
      'service on this machine or database started before the new key and still seals with it. Backups\n' +
      'from before the new key have that key in them. Browsers that were known by it, in which a person signs in however\n' +
      `much strangers guess, are forgotten; they keep its cookie for up to ${KNOWN_DEVICE_DAYS} days, and it opens nothing.`,
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'secret forget')
    return withContext(call, { create: false }, async ({ database, config }) => {
      const { dataDir } = config
      if (readFormerSecret(dataDir).length === 0) throw new CommandFailed(`There is no ${formerSecretFile(dataDir)}.`)
      const concern = await formerHolderConcern(database, config)
      if (concern !== null) throw new CommandFailed(`The key before is still needed: ${concern}`)
      const { former } = await sealsOf(database, config)
      if (former > 0)
        throw new CommandFailed(
          `A former key still opens ${former} sealed values: call ${calledAs('secret rotate')} first.`,
        )
      forgetFormerSecret(dataDir)
      call.stderr.write(
        `${formerSecretFile(dataDir)} is deleted.\n` +
          `Browsers that the service knew by the former key are known no more. They keep its cookie for up to ${KNOWN_DEVICE_DAYS}\n` +
          'days, and it opens nothing; each browser is known again from the next sign-in in it.\n',
      )
      return 0
    })
  },
)

/** Tells whether the installation has a key, also one that cannot be read. */
function hasKey({ secretKey, dataDir }: Config): boolean {
  return secretKey !== null || existsSync(secretFile(dataDir))
}

/** Tells what remains to be done. */
function tell(seals: Seals, config: Config, { stderr }: CommandCall): void {
  const { all, former, shut, formerPurposes, shutPurposes } = seals
  stderr.write(
    hasKey(config)
      ? `${all - former - shut} of ${all} sealed values are sealed with ${keyName(config)}.\n`
      : `There is no key yet: the service makes ${secretFile(config.dataDir)} when it first seals something.\n`,
  )
  if (shut > 0) stderr.write(`No key opens ${shut} of them (${shutPurposes}); the service goes on without these.\n`)
  if (former > 0) {
    stderr.write(`A former key opens ${former} of them (${formerPurposes}): call ${calledAs('secret rotate')}\n`)
    return
  }
  if (config.secretKey === null) {
    if (readFormerSecret(config.dataDir).length > 0)
      stderr.write(`Nothing stored needs the former key: call ${calledAs('secret forget')}\n`)
  } else if (config.formerSecretKeys.length > 0) {
    stderr.write('Nothing stored needs the former key: unset SECRET_KEY_FORMER, and start every process again.\n')
  }
}

const ACTIONS = { status, new: renew, rotate, forget }

export const lines = Object.values(ACTIONS).map(({ line }) => line)

export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('secret', ACTIONS, args, call)
}
