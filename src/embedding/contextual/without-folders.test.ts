import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutFolders } from './without-folders.ts'

test('a message keeps the names of files and loses their folders', () => {
  for (const [message, expected] of [
    ['Load model from /srv/k/models/c/model.onnx failed: no memory', 'Load model from model.onnx failed: no memory'],
    [
      "ENOENT: no such file or directory, open '/opt/k/tokenizer.json'",
      "ENOENT: no such file or directory, open 'tokenizer.json'",
    ],
    ['/opt/k/bin/onnxruntime_binding.node: file too short', 'onnxruntime_binding.node: file too short'],
    ["Cannot find module 'C:\\Users\\me\\k\\x.node'", "Cannot find module 'x.node'"],
    ['imported from file:///srv/k/src/model.ts', 'imported from model.ts'],
    ['imported from file:///C:/k/src/model.ts', 'imported from model.ts'],
    ['models/contextual-eu-v1 has no model.onnx, and float32 [1,2] is and/or', null],
  ]) {
    assert.equal(withoutFolders(message!), expected ?? message)
  }
})

test('a folder that is known is removed also where its name has spaces', () => {
  assert.equal(withoutFolders('open /srv/my models/model.onnx failed', ['/srv/my models/']), 'open model.onnx failed')
})
