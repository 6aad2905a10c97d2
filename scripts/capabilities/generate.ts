import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { outdatedFiles } from './generated-files.ts'

const isCheck = process.argv.includes('--check')
for (const { path, contents } of outdatedFiles()) {
  const file = relative('.', path)
  if (isCheck) {
    console.log(
      `${file} is out of date: run "npm run generate -w @svc/auth", and commit what it writes.`,
    )
    process.exitCode = 1
  } else {
    writeFileSync(path, contents)
    console.log(`wrote ${file}`)
  }
}
