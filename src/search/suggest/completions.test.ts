import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionsOf } from './completions.ts'
import type { Correction } from '../engine.ts'
import { nameWords } from '../analysis/name-words.ts'

const from = (titles: readonly string[], corrections: readonly Correction[] = []) => [
  { titles: titles.map(nameWords), corrections },
]

const correctionOf = (typed: string, ...terms: readonly string[]): Correction => ({
  typed,
  nearest: terms.map((term) => ({ term, partitions: ['de' as const], edits: 1, frequency: 1 })),
})

test('the last word is completed as titles have it, words of most titles first, then shorter ones', () => {
  const titles = ['Akkusäge', 'Akkuschrauber 18 V', 'Akkuschrauber 12 V', 'Werkzeug-Set mit Akku']
  assert.deepEqual(completionsOf('akkus', from(titles), 5), ['Akkuschrauber', 'Akkusäge'])
  assert.deepEqual(completionsOf('akkus', from(titles), 1), ['Akkuschrauber'])
  assert.deepEqual(completionsOf('akku ', from(titles), 5), [])
})

test('after a space comes only the word that follows, also of a word in another form or mistyped', () => {
  const titles = ['Laptop Stand', 'Laptops für Profis', 'Laptoptasche']
  assert.deepEqual(completionsOf('laptop ', from(titles), 5), ['Laptops für', 'Laptop Stand'])
  assert.deepEqual(completionsOf('latpop ', from(titles, [correctionOf('latpop', 'laptop')]), 5), ['Laptop Stand'])
  assert.deepEqual(completionsOf('lapto ', from(titles), 5), [])
})

test('a word that the index knows in another form is completed as the title has it', () => {
  const titles = ['Monitoring', 'Kubernetes Services']
  assert.deepEqual(completionsOf('kubernets', from(titles), 5), ['Kubernetes'])
  assert.deepEqual(completionsOf('kubernets ser', from(titles), 5), ['Kubernetes Services'])
})

test('after a word typed in full comes the word that follows it, and earlier words must be in the title', () => {
  const titles = ['Espresso ganze Bohnen', 'Espresso gemahlen', 'Kaffee ganze Bohnen']
  assert.deepEqual(completionsOf('espresso', from(titles), 5), ['Espresso ganze', 'Espresso gemahlen'])
  assert.deepEqual(completionsOf('espresso  ga', from(titles), 5), ['espresso ganze'])
  assert.deepEqual(completionsOf('tee ga', from(titles), 5), [])
})

test('mistyped words are replaced by the words of the title that they stand for', () => {
  const titles = ['Schöne Akkuschrauber mit Koffer', 'Schlauch mit Koffer']
  const corrections = [correctionOf('akuschrauber', 'akkuschraub'), correctionOf('kofer', 'koff')]
  assert.deepEqual(completionsOf('akuschrauber mit kof', from(titles, corrections), 5), ['Akkuschrauber mit Koffer'])
  assert.deepEqual(completionsOf('Schöne, akuschrauber kofer', from(titles, corrections), 5), [
    'Schöne, Akkuschrauber Koffer',
  ])
})

test('titles of several sources complete together, each by the corrections of its own', () => {
  const sources = [...from(['Lampe rot', 'Lampen'], [correctionOf('tihc', 'tisch')]), ...from(['Lampen', 'Tisch'])]
  assert.deepEqual(completionsOf('lam', sources, 5), ['Lampen', 'Lampe'])
  assert.deepEqual(completionsOf('tihc', sources, 5), [])
})
