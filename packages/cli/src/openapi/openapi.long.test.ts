import { describe, expect, it } from 'vitest'
import { useApplication } from './test-openapi.ts'

const test = useApplication()

describe('svc openapi', () => {
  it('writes the same to a file, seen from where it is called', async () => {
    await test.application.write('docs/notes.txt', '')
    const { stdout } = await test.application.svc(['openapi'])
    const written = await test.application.svc(['openapi', '--out', 'api.json'], { from: 'docs' })
    expect(written).toEqual({ code: 0, stdout: 'wrote docs/api.json\n', stderr: '' })
    expect(await test.application.read('docs/api.json')).toBe(stdout)
  })

  it('says in one line where it cannot be written', async () => {
    await test.application.write('written/api.json', '')
    const refusalOf = async (out: string) => {
      const { code, stdout, stderr } = await test.application.svc(['openapi', '--out', out])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      return stderr.replaceAll(test.application.root, '<root>')
    }
    expect(await refusalOf('none/api.json')).toBe(
      'Nothing was written: there is no folder <root>/none.\n',
    )
    expect(await refusalOf('written')).toBe(
      'Nothing was written: <root>/written is a folder, but --out needs a file.\n',
    )
    expect(await refusalOf('written/api.json/more.json')).toBe(
      'Nothing was written: <root>/written/api.json is not a folder.\n',
    )
  })

  it('says which route cannot be served', async () => {
    await test.application.write(
      'unbound.ts',
      `import { defineRouter, defineServer, route } from '@svc/core'

export default defineServer().routes(defineRouter({ getOrder: route.get('/orders') }))
`,
    )
    expect(await test.application.svc(['openapi', '--server', 'unbound.ts'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Route "getOrder" (GET /orders) has no handler: bind one with .handler(…).\n',
    })
  })
})
