import { pageWords } from '../../i18n/language.tsx'

export const useSingleSignOnWords = pageWords({
  title: { en: 'Single sign-on', de: 'Anmeldung mit Firmenkonto' },
  intro: {
    en: 'People sign in with the company account they have already. Here you decide who may come in, and what they may do.',
    de: 'Personen melden sich mit dem Firmenkonto an, das sie schon haben. Hier legen Sie fest, wer hereinkommt und was diese Personen dürfen.',
  },
  forbidden: {
    en: 'Only administrators can set up single sign-on.',
    de: 'Nur Administratoren können die Anmeldung mit Firmenkonto einrichten.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation.',
    de: 'Fragen Sie einen Administrator Ihrer Organisation.',
  },
  saved: { en: 'Saved', de: 'Gespeichert' },
  conflict: {
    en: 'Somebody else changed these rules while you were here',
    de: 'Jemand anderes hat diese Regeln geändert, während Sie hier waren',
  },
  conflictHelp: {
    en: 'Your own changes are still here and not saved. Save again to keep them, or discard them.',
    de: 'Ihre eigenen Änderungen sind noch da und nicht gespeichert. Speichern Sie erneut, um sie zu behalten, oder verwerfen Sie sie.',
  },
  exceeds: {
    en: 'You cannot give a group more rights than you have yourself.',
    de: 'Sie können einer Gruppe nicht mehr Rechte geben, als Sie selbst haben.',
  },
  provider: {
    title: { en: 'Company account', de: 'Firmenkonto' },
    none: { en: 'No company account is connected', de: 'Es ist kein Firmenkonto verbunden' },
    noneHelp: {
      en: 'The operator of the service connects one, such as Keycloak, Okta or Google. What you set below takes effect then.',
      de: 'Der Betreiber des Dienstes verbindet eines, zum Beispiel Keycloak, Okta oder Google. Was Sie unten festlegen, gilt dann.',
    },
    works: { en: (name: string) => `“${name}” works`, de: (name) => `„${name}“ funktioniert` },
    worksHelp: {
      en: 'People find it as a button on the sign-in page.',
      de: 'Auf der Anmeldeseite gibt es dafür einen Knopf.',
    },
    silent: {
      en: (name: string) => `“${name}” does not answer right now`,
      de: (name) => `„${name}“ antwortet gerade nicht`,
    },
    silentHelp: {
      en: 'People can sign in with their password meanwhile. If it stays like this, tell the operator.',
      de: 'Anmelden kann man sich solange mit dem Passwort. Wenn es so bleibt, sagen Sie dem Betreiber Bescheid.',
    },
    checked: { en: 'Checked', de: 'Geprüft' },
    again: { en: 'Check again', de: 'Erneut prüfen' },
    issuer: { en: 'Address', de: 'Adresse' },
    redirect: { en: 'Return address', de: 'Rückkehradresse' },
    redirectHelp: {
      en: 'Has to be registered at the company account, letter by letter.',
      de: 'Muss beim Firmenkonto eingetragen sein, Zeichen für Zeichen.',
    },
    logout: { en: 'Logout address', de: 'Abmeldeadresse' },
    logoutHelp: {
      en: 'May be registered at the company account. Who is signed out there is then signed out here at once. (backchannel_logout_uri)',
      de: 'Kann beim Firmenkonto eingetragen sein. Wer dort abgemeldet wird, ist dann auch hier sofort abgemeldet. (backchannel_logout_uri)',
    },
    scopes: { en: 'Asked for', de: 'Angefragt' },
  },
  outcome: {
    title: { en: 'What this means', de: 'Was das bedeutet' },
    known: {
      en: 'Whoever has an account here can sign in with the company account, with the role they were given here.',
      de: 'Wer hier ein Konto hat, kann sich mit dem Firmenkonto anmelden und behält die Rolle, die er hier bekommen hat.',
    },
    everybody: {
      en: (role: string) => `Everybody with a company account can come in, as: ${role}.`,
      de: (role) => `Alle mit einem Firmenkonto kommen herein, als: ${role}.`,
    },
    groups: {
      en: 'Members of the groups below come in. Their role follows the group at every sign-in.',
      de: 'Mitglieder der Gruppen unten kommen herein. Ihre Rolle folgt der Gruppe bei jeder Anmeldung.',
    },
    nobodyElse: {
      en: 'Who is in none of the groups has no access.',
      de: 'Wer in keiner der Gruppen ist, hat keinen Zugang.',
    },
    othersAs: {
      en: (role: string) => `Who is in none of the groups comes in as: ${role}.`,
      de: (role) => `Wer in keiner der Gruppen ist, kommt herein als: ${role}.`,
    },
    accountNeeded: {
      en: 'Only people who have an account here already come in.',
      de: 'Nur wer hier schon ein Konto hat, kommt herein.',
    },
  },
  people: {
    title: { en: 'Who may come in', de: 'Wer hereinkommt' },
    help: {
      en: 'Decided each time somebody signs in with the company account.',
      de: 'Wird bei jeder Anmeldung mit dem Firmenkonto entschieden.',
    },
    createUsers: { en: 'Make an account at the first sign-in', de: 'Bei der ersten Anmeldung ein Konto anlegen' },
    createUsersHelp: {
      en: 'Without this, an administrator makes each account first.',
      de: 'Sonst legt ein Administrator jedes Konto vorher an.',
    },
    createUsersNeedsRole: {
      en: 'Choose a role for people without a group, or add a group.',
      de: 'Wählen Sie eine Rolle für Personen ohne Gruppe, oder fügen Sie eine Gruppe hinzu.',
    },
    linkByEmail: { en: 'Recognise people by their email address', de: 'Personen an ihrer E-Mail-Adresse erkennen' },
    linkByEmailHelp: {
      en: 'Who has an account here with the same address gets that one. The company account must have verified the address.',
      de: 'Wer hier ein Konto mit derselben Adresse hat, bekommt dieses. Das Firmenkonto muss die Adresse bestätigt haben.',
    },
    linkProof: { en: 'Ask for the own password first', de: 'Zuerst nach dem eigenen Passwort fragen' },
    linkProofHelp: {
      en: 'Who has a password or passkey here proves it once. Without this, whoever gets the address at the provider gets the account.',
      de: 'Wer hier ein Passwort oder einen Passkey hat, weist sich einmal damit aus. Sonst bekommt das Konto, wer beim Anbieter die Adresse bekommt.',
    },
    defaultRole: { en: 'Role without a group', de: 'Rolle ohne Gruppe' },
    noAccess: { en: 'No access', de: 'Kein Zugang' },
    noAccessHelp: { en: 'Only members of the groups come in.', de: 'Nur Mitglieder der Gruppen kommen herein.' },
    hours: { en: 'Sign in again after', de: 'Neu anmelden nach' },
    hoursUnit: { en: 'hours', de: 'Stunden' },
    hoursHelp: {
      en: 'Then the groups are read again. Who has left a group loses access at that moment at the latest.',
      de: 'Dann werden die Gruppen neu gelesen. Wer eine Gruppe verlassen hat, verliert den Zugang spätestens in diesem Moment.',
    },
  },
  groups: {
    title: { en: 'Groups and roles', de: 'Gruppen und Rollen' },
    help: {
      en: 'Each group of the company account with what its members may do. Of several groups the highest role counts.',
      de: 'Jede Gruppe des Firmenkontos mit dem, was ihre Mitglieder dürfen. Von mehreren Gruppen zählt die höchste Rolle.',
    },
    claim: { en: 'Where the groups stand', de: 'Wo die Gruppen stehen' },
    claimHelp: {
      en: 'Name of the field in which the company account sends them: often groups, with Keycloak realm_access.roles.',
      de: 'Name des Feldes, in dem das Firmenkonto sie mitschickt: oft groups, bei Keycloak realm_access.roles.',
    },
    list: { en: 'Groups', de: 'Gruppen' },
    group: { en: 'Group', de: 'Gruppe' },
    role: { en: 'Role', de: 'Rolle' },
    ceiling: { en: 'Sees up to', de: 'Sieht bis' },
    asRole: { en: 'As the role', de: 'Wie die Rolle' },
    add: { en: 'Add group', de: 'Gruppe hinzufügen' },
    remove: {
      en: (group: string) => (group === '' ? 'Remove this group' : `Remove ${group}`),
      de: (group) => (group === '' ? 'Diese Gruppe entfernen' : `${group} entfernen`),
    },
    none: { en: 'There is no group yet.', de: 'Es gibt noch keine Gruppe.' },
    noneHelp: {
      en: 'Without groups, roles stay as they were given here.',
      de: 'Ohne Gruppen bleiben die Rollen, wie sie hier vergeben wurden.',
    },
    nameNeeded: { en: 'Enter the name of the group.', de: 'Geben Sie den Namen der Gruppe ein.' },
    twice: { en: 'This group is there twice.', de: 'Diese Gruppe steht zweimal da.' },
    full: { en: 'At most 200 groups are possible.', de: 'Höchstens 200 Gruppen sind möglich.' },
  },
})

export type SingleSignOnWords = ReturnType<typeof useSingleSignOnWords>
