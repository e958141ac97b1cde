import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell } from './csv-cell.ts'

test('no cell of the table begins like a formula, and quotes keep a cell whole', () => {
  const cells: [string, string][] = [
    ['ann@example.com', 'ann@example.com'],
    ['=1+1', `"'=1+1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['-2+3|cmd', `"'-2+3|cmd"`],
    ['+49 30', `"'+49 30"`],
    [' =1', `"' =1"`],
    ['\t=1', `"'\t'=1"`],
    ['a;=1+1', `"a;'=1+1"`],
    ['a;\t @sum;b', `"a;\t '@sum;b"`],
    ['a;b', '"a;b"'],
    ['\uFEFF=1', `"'\uFEFF=1"`],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', ''],
  ]
  for (const [text, cell] of cells) assert.equal(csvCell(text), cell, JSON.stringify(text))
  assert.deepEqual([csvCell(-1), csvCell(null)], ['-1', ''])
})
