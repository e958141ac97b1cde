// Runs the test of eight writers of one external_id 10,000 times on both databases; everyday runs repeat it less often.
process.env.UPSERTS ??= '10000'
process.argv.splice(2, Infinity, 'test/api/products.test.ts', '--test-name-pattern=eight writers')
await import('./test.ts')
