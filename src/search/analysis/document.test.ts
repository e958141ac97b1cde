import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unlessItHangs } from '../../../test/support/patience.ts'
import { analyseDocument } from '../../../test/support/search/analysed.ts'
import { type Partition, partitionOf } from './partitions.ts'

function analyse(partition: Partition, text: string) {
  const terms: string[] = []
  const length = analyseDocument(partition, text, (term, share) => terms.push(share === 1 ? term : `(${term})`))
  return { terms, length }
}

const STORIES: readonly (readonly [Partition, string, string, number])[] = [
  ['de', 'Die Häuser der Straße', 'die haus der strass', 4],
  ['de', 'Akkuschrauber', 'akkuschraub akku schraub', 1],
  ['en', 'Akkuschrauber', 'akkuschraub', 1],
  ['en', 'Running the cities', 'run the citi', 3],
  ['other', 'Les maisons d’été', 'les maisons d ete', 4],
  ['en', 'kube-apiserver', 'kube apiserv kubeapiserv', 2],
  ['de', 'E-Mail', 'e mail email', 2],
  ['en', 'v1.29', 'v1 29 1.29 (1)', 2],
  ['en', 'WH-1000XM4', 'wh 1000xm4 wh1000xm4 (1000) (xm4) (xm) (4)', 2],
  ['en', 'C++ or C#, not #1 or 2+2', 'c++ (c) or c# (c) not 1 or 2 2', 8],
  ['en', 'C4872A', 'c4872a (4872a) (4872)', 1],
  ['en', 'HX432S20IBK2/64', 'hx432s20ibk2 64 hx432s20ibk2.64', 2],
  ['en', 'AB/12-3 and/or a/b', 'ab 12 3 ab12.3 and or a b', 7],
  ['en', '32 GB, 2.4\u00a0GHz and Cat 6', '32 gb 32gb 2.4 (2) (4) ghz 2.4ghz and cat 6 cat6', 7],
  ['de', 'DIN A 4 mit 2 oder 3 Löchern', 'din a 4 a4 mit 2 oder 3 loch', 8],
  ['en', '20 24 or 12  mm, 7\nkg', '20 24 or 12 mm 7 kg', 7],
  ['de', '1,5 m und 2,5-Liter-Flasche', '1.5 (1) (5) m 1.5m und 2.5 lit flasch 2.5literflasche 2.5l (2) (5)', 6],
  ['en', '18V, 18 Volt, 18-Volt and 18volt', '18v (18) 18 volt 18v 18 volt 18v and 18v (18) (volt)', 7],
  ['en', '24" or 24\u2033 screen, USB 3.0', '24 24inch or 24 24inch screen usb 3.0 (3) usb3.0', 6],
  ['de', '3.0, 1,000,000 and 22.11.2026', '3.0 (3) 1 000 000 1.000.000 and 22 11 2026 22.11.2026', 8],
  ['en', 'ReplicaSet', 'replicaset replica set', 1],
  ['en', 'GitHub iPhone HTTPServer', 'github git hub iphon httpserver http server', 3],
  ['other', 'Привет, мир!', 'привет мир', 2],
  ['other', '東京タワー 水', '東 京 タ ワ ー 東京 京タ タワ ワー 水', 6],
  ['other', 'Kubernetesの使い方', 'kubernetes の 使 い 方 の使 使い い方', 5],
  ['en', 'fire 🔥 and 👨‍👩‍👧', 'fire and', 2],
  ['en', 'nul\u0000byte, lone \ud800surrogate\udc00', 'nul byte lone surrog', 4],
  ['en', ' -- ... __ \t\n', '', 0],
  ['en', '½ ²', '1 2 1.2 2', 3],
]

for (const [partition, text, terms, length] of STORIES) {
  test(`${JSON.stringify(text)} in ${partition} gives "${terms}" and counts ${length}`, () => {
    assert.deepEqual(analyse(partition, text), { terms: terms.split(' ').filter(Boolean), length })
  })
}

test('a megabyte without spaces is cut into short terms in linear time', () => {
  for (const unit of ['a', 'a1', 'a-', '水', '\u{20000}', 'é', 'Ab', 'ort', '\u0301']) {
    const text = unit.repeat(1_000_000 / unit.length)
    const { terms, length } = unlessItHangs(() => analyse('de', text))
    assert.ok(length <= 1_000_000 && terms.every((term) => term.length <= 64 && term.isWellFormed()), unit)
  }
  assert.equal(analyse('de', 'a'.repeat(1_000_000)).length, 1_000_000 / 64)
})

test('cached chains change nothing: terms are the same after very many other words', () => {
  const text = 'Weizenvollkornmehl WH-1000XM4 Kündigungsfristen E-Mail'
  const before = analyse('de', text)
  for (let word = 0; word < 150_000; word += 1) analyseDocument('de', `wort${word}`, () => {})
  assert.deepEqual(analyse('de', text), before)
})

test('a language code decides the partition, whatever its region, its case and its standard', () => {
  for (const code of ['de', 'de-AT', 'DE', 'deu', 'ger']) assert.equal(partitionOf(code), 'de')
  for (const code of ['en', 'en_US', 'EN-gb', 'eng']) assert.equal(partitionOf(code), 'en')
  for (const code of ['fr', 'ja', 'den', 'enm', '', 'x']) assert.equal(partitionOf(code), 'other')
})
