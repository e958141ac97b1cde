import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOfText, leaningOfText, surelyIn } from './text-language.ts'

const TEXTS = {
  de:
    'Der Dienst bewahrt Einträge auf und findet sie nach ihrem Sinn oder nach Wörtern wieder. Was jemand nicht sehen ' +
    'darf, das findet er auch nicht. Eine Suche vergleicht alles, was der Aufrufer sehen darf, unter jedem Filter.',
  en:
    'The service keeps entries and finds them again by what they mean or by their words. What somebody may not see ' +
    'they do not find either. A search compares everything that the caller may see, whatever the filter is.',
  fr:
    'Le service conserve des entrées de plusieurs types et les retrouve par le sens ou par les mots. Chaque locataire ' +
    'possède ses propres données, et personne ne voit celles des autres. Une écriture est durable quand la réponse est ' +
    'envoyée. Les recherches comparent toutes les entrées que chacun peut voir. On peut importer un dossier de pages dont les dossiers deviennent des catégories de la base.',
  hr:
    'Usluga čuva zapise različitih vrsta i pronalazi ih po značenju i po riječima. Svaki stanar ima svoje podatke i ' +
    'nitko ne vidi podatke drugih. Upis je trajan kada je odgovor poslan. Pretraga uspoređuje sve zapise koje ' +
    'pozivatelj smije vidjeti, bez obzira na odabrani filter. Mapa sa stranicama može se uvesti u bazu znanja, a mape ' +
    'postaju kategorije koje koristi cijela tvrtka.',
  nl:
    'De dienst bewaart kennis van verschillende soorten en vindt die terug op betekenis en op woorden. Elke huurder ' +
    'heeft zijn eigen gegevens en niemand ziet die van een ander. Een wijziging is duurzaam als het antwoord is ' +
    "verstuurd. Zoeken vergelijkt alles wat de vrager mag zien, welk filter er ook gekozen is. Een map met pagina's " +
    'kan worden ingelezen en de mappen worden categorieën.',
} as const

test('German and English are told apart from each other and from other languages', () => {
  const told = Object.entries(TEXTS).map(([code, text]) => [code, languageOfText(text)])
  assert.deepEqual(told, [
    ['de', 'de'],
    ['en', 'en'],
    ['fr', 'other'],
    ['hr', 'other'],
    ['nl', 'other'],
  ])
})

test('the language of short or mixed texts is unknown, and code and addresses do not count', () => {
  assert.equal(languageOfText('The end'), 'unknown')
  assert.equal(languageOfText(`${TEXTS.de} ${TEXTS.en}`), 'unknown')
  const code = `\n\`\`\`\n${'if the and or not with for this '.repeat(50)}\n\`\`\`\n`
  assert.equal(languageOfText(TEXTS.de + code), 'de')
  assert.equal(languageOfText(`${TEXTS.de} {{< the and with for this >}} https://x.example/the/and/with`), 'de')
})

test('a short text leans to one language or to none', () => {
  assert.deepEqual(['With and for it', 'Nicht ohne das', 'Kubernetes', 'x'].map(leaningOfText), [
    'en',
    'de',
    'unknown',
    'unknown',
  ])
  assert.equal(leaningOfText(TEXTS.fr.repeat(2)), 'unknown')
})

test('a short text is surely in a language only with several of its function words and few of the other', () => {
  const surely = [
    'How do I reset my password if I have forgotten it?',
    'Wie setze ich mein Passwort zurück, wenn ich es vergessen habe?',
    TEXTS.de,
    TEXTS.en,
  ]
  assert.deepEqual(surely.map(surelyIn), ['en', 'de', 'de', 'en'])
  const unsure = [
    'Some content',
    'A title',
    'Kubernetes ConfigMap',
    'Passwort zurücksetzen',
    'The Bundesliga ist nicht for you, sondern für uns and all',
    'Le chat est sur la table et il mange des pommes',
    TEXTS.fr,
    TEXTS.hr,
    TEXTS.nl,
    '',
  ]
  for (const text of unsure) assert.equal(surelyIn(text), null, text)
})
