import type { SingleSignOnWords } from './words.en.ts'

export const words: SingleSignOnWords = {
  title: 'Anmeldung mit Firmenkonto',
  intro:
    'Personen melden sich mit dem Firmenkonto an, das sie schon haben. Hier legen Sie fest, wer hereinkommt und was diese Personen dürfen.',
  forbidden: 'Nur Administratoren können die Anmeldung mit Firmenkonto einrichten.',
  forbiddenHelp: 'Fragen Sie einen Administrator Ihrer Organisation.',
  saved: 'Gespeichert',
  conflict: 'Jemand anderes hat diese Regeln geändert, während Sie hier waren',
  conflictHelp:
    'Ihre eigenen Änderungen sind noch da und nicht gespeichert. Speichern Sie erneut, um sie zu behalten, oder verwerfen Sie sie.',
  exceeds: 'Sie können einer Gruppe nicht mehr Rechte geben, als Sie selbst haben.',
  provider: {
    title: 'Firmenkonto',
    none: 'Es ist kein Firmenkonto verbunden',
    noneHelp:
      'Der Betreiber des Dienstes verbindet eines, zum Beispiel Keycloak, Okta oder Google. Was Sie unten festlegen, gilt dann.',
    works: (name) => `„${name}“ funktioniert`,
    worksHelp: 'Auf der Anmeldeseite gibt es dafür einen Knopf.',
    silent: (name) => `„${name}“ antwortet gerade nicht`,
    silentHelp: 'Anmelden kann man sich solange mit dem Passwort. Wenn es so bleibt, sagen Sie dem Betreiber Bescheid.',
    checked: 'Geprüft',
    again: 'Erneut prüfen',
    issuer: 'Adresse',
    redirect: 'Rückkehradresse',
    redirectHelp: 'Muss beim Firmenkonto eingetragen sein, Zeichen für Zeichen.',
    logout: 'Abmeldeadresse',
    logoutHelp:
      'Kann beim Firmenkonto eingetragen sein. Wer dort abgemeldet wird, ist dann auch hier sofort abgemeldet. (backchannel_logout_uri)',
    scopes: 'Angefragt',
  },
  outcome: {
    title: 'Was das bedeutet',
    known:
      'Wer hier ein Konto hat, kann sich mit dem Firmenkonto anmelden und behält die Rolle, die er hier bekommen hat.',
    everybody: (role) => `Alle mit einem Firmenkonto kommen herein, als: ${role}.`,
    groups: 'Mitglieder der Gruppen unten kommen herein. Ihre Rolle folgt der Gruppe bei jeder Anmeldung.',
    nobodyElse: 'Wer in keiner der Gruppen ist, hat keinen Zugang.',
    othersAs: (role) => `Wer in keiner der Gruppen ist, kommt herein als: ${role}.`,
    accountNeeded: 'Nur wer hier schon ein Konto hat, kommt herein.',
  },
  people: {
    title: 'Wer hereinkommt',
    help: 'Wird bei jeder Anmeldung mit dem Firmenkonto entschieden.',
    createUsers: 'Bei der ersten Anmeldung ein Konto anlegen',
    createUsersHelp: 'Sonst legt ein Administrator jedes Konto vorher an.',
    createUsersNeedsRole: 'Wählen Sie eine Rolle für Personen ohne Gruppe, oder fügen Sie eine Gruppe hinzu.',
    linkByEmail: 'Personen an ihrer E-Mail-Adresse erkennen',
    linkByEmailHelp:
      'Wer hier ein Konto mit derselben Adresse hat, bekommt dieses. Das Firmenkonto muss die Adresse bestätigt haben.',
    defaultRole: 'Rolle ohne Gruppe',
    noAccess: 'Kein Zugang',
    noAccessHelp: 'Nur Mitglieder der Gruppen kommen herein.',
    hours: 'Neu anmelden nach',
    hoursUnit: 'Stunden',
    hoursHelp:
      'Dann werden die Gruppen neu gelesen. Wer eine Gruppe verlassen hat, verliert den Zugang spätestens in diesem Moment.',
  },
  groups: {
    title: 'Gruppen und Rollen',
    help: 'Jede Gruppe des Firmenkontos mit dem, was ihre Mitglieder dürfen. Von mehreren Gruppen zählt die höchste Rolle.',
    claim: 'Wo die Gruppen stehen',
    claimHelp: 'Name des Feldes, in dem das Firmenkonto sie mitschickt: oft groups, bei Keycloak realm_access.roles.',
    list: 'Gruppen',
    group: 'Gruppe',
    role: 'Rolle',
    ceiling: 'Sieht bis',
    asRole: 'Wie die Rolle',
    add: 'Gruppe hinzufügen',
    remove: (group) => (group === '' ? 'Diese Gruppe entfernen' : `${group} entfernen`),
    none: 'Es gibt noch keine Gruppe.',
    noneHelp: 'Ohne Gruppen bleiben die Rollen, wie sie hier vergeben wurden.',
    nameNeeded: 'Geben Sie den Namen der Gruppe ein.',
    twice: 'Diese Gruppe steht zweimal da.',
    full: 'Höchstens 200 Gruppen sind möglich.',
  },
}
