// Eight writers of one external_id, 10,000 times on both databases: the test of everyday runs at its full length.
process.env.UPSERTS ??= '10000'
process.argv.splice(2, Infinity, 'test/api/products.test.ts', '--test-name-pattern=eight writers')
await import('./test.ts')
