import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'
import { answering, freePort, listen, repository, repositoryWithWeb, start } from './test-start.ts'

describe('npm start -- --api', () => {
  it('fails when the API dies, and shows once what it printed', async () => {
    const root = repository(`console.error('no database')\nprocess.exit(3)`)
    const { exit, output } = await start(root, { SVC_PORT: `${await freePort()}` })

    expect(await exit).toBe(1)
    expect(output()).toContain('API ended with code 3. Its output is above.')
    expect(output().match(/no database/g)).toHaveLength(1)
  })

  it('says what to type when a port is taken', async () => {
    const { port } = await listen()
    const { exit, output } = await start(repository(answering), { SVC_PORT: `${port}` })

    expect(await exit).toBe(1)
    const typed = /Port (\d+) is taken\. Choose another one: SVC_PORT=\d+ npm start -- --api\n$/
    expect(output().match(typed)?.[1]).toBe(`${port}`)
  })

  it('is --api-only as well', async () => {
    const port = await freePort()
    const { output } = await start(repository(answering), { SVC_PORT: `${port}` }, ['--api-only'])
    expect(output()).toContain('Svc is running')
  })

  it('shows what a failed build printed', async () => {
    const { exit, output } = await start(
      temporaryTree({ 'tsconfig.build.json': '{ "files": ["missing.ts"] }' }),
      { SVC_PORT: `${await freePort()}` },
    )

    expect(await exit).toBe(1)
    expect(output()).toContain('missing.ts')
    expect(output()).toContain('Building the packages failed')
  })
})

describe('npm start', () => {
  it('names a port again that was given with the command, where the other one is taken', async () => {
    const { port } = await listen()
    const ports = { SVC_PORT: `${await freePort()}`, PORT: `${port}` }
    const { exit, output } = await start(repositoryWithWeb(), ports, [])
    expect(await exit).toBe(1)
    expect(output()).toMatch(
      new RegExp(`Choose another one: SVC_PORT=${ports.SVC_PORT} PORT=\\d+ npm start\n$`),
    )
  })
})
