import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { multipartBody, route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

let handled = 0
const body = multipartBody({
  maxBytes: 400_000,
  fields: t.Object({ title: t.String({ minLength: 1 }), age: t.Optional(t.Integer()) }),
  files: {
    photo: { maxBytes: 200_000, types: ['image/*', 'text/plain'] },
    more: { maxBytes: 10, optional: true, atMost: 2 },
    note: { maxBytes: 10, optional: true },
  },
})
const router = defineRouter({
  post: route
    .post('/posts')
    .input({ body })
    .handler(async (c) => {
      const { fields, files } = (await c.data()).body
      handled += 1
      const { photo, more, note } = files
      const told = async ({ name, type, size, bytes }: typeof photo) => {
        const read = await bytes()
        expect(read.length).toBe(size)
        return { name, type, size, start: read.subarray(0, 20).toString('latin1') }
      }
      return {
        fields,
        photo: await told(photo),
        more: await Promise.all(more.map(told)),
        hasNote: note !== undefined,
      }
    }),
})
const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
beforeEach(() => {
  handled = 0
})
const api = server.api<typeof router>()

type Entries = [string, string | File][]

function formOf(entries: Entries) {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  return form
}

const photo = new File(['pixels'], 'a.png', { type: 'image/png' })

/** Sends this to the letter, where `|` is a line end, and `B` is the boundary. */
async function send(text: string, type = 'multipart/form-data; boundary=B') {
  const bytes = Buffer.from(text.replaceAll('|', '\r\n'), 'latin1')
  const headers = { 'content-type': type }
  const answer = await server.fetch('/posts', { method: 'POST', headers, body: bytes })
  const told = await answer.json()
  return { status: answer.status, ...told, code: told.error?.code }
}

const title = '--B|content-disposition: form-data; name="title"||A title'
const file =
  '--B|content-disposition: form-data; name="photo"; filename="a.png"|content-type: image/png||x'
const end = '|--B--|'

describe('a form with files', () => {
  it('reaches the handler with its fields as their schema says, and each file on its own', async () => {
    const large = Buffer.alloc(150_000, '\r\n--B')
    const answer = await api.post.call({
      body: formOf([
        ['title', 'Täg\n--x'],
        ['photo', new File([large], '../../etc/passwd', { type: 'image/jpeg' })],
        ['age', '7'],
        ['more', new File(['1'], 'ü.bin')],
        ['more', new File([], 'empty')],
      ]),
    })
    const type = 'application/octet-stream'
    expect(answer).toEqual({
      fields: { title: 'Täg\r\n--x', age: 7 },
      photo: {
        name: '../../etc/passwd',
        type: 'image/jpeg',
        size: 150_000,
        start: large.toString('latin1', 0, 20),
      },
      more: [
        { name: Buffer.from('ü.bin').toString(), type, size: 1, start: '1' },
        { name: 'empty', type, size: 0, start: '' },
      ],
      hasNote: false,
    })
  })

  it('is found at each place of the boundary in what is read at a time', async () => {
    const head = `${title}|${file}`.replaceAll('|', '\r\n').length
    for (const size of [65_530, 65_531, 65_535, 65_536, 65_537, 131_072 - head]) {
      const text = `${title}|${file}${'y'.repeat(size)}${end}`
      expect(await send(text)).toMatchObject({ photo: { size: size + 1 } })
    }
  })

  it('takes an input without a chosen file for none', async () => {
    const none =
      '|--B|content-disposition: form-data; name="note"; filename=""|content-type: application/octet-stream||'
    expect(await send(`${title}|${file}${none}${end}`)).toMatchObject({
      status: 200,
      hasNote: false,
    })
  })
})

describe('what is refused by its field', () => {
  const cases: [string, Entries, string, string][] = [
    ['a field that is missing', [['photo', photo]], 'body.fields.title', 'is required'],
    [
      'a field that is not declared',
      [
        ['title', 'a'],
        ['photo', photo],
        ['role', 'admin'],
      ],
      'body.fields.*',
      'is not a field of this operation',
    ],
    [
      'a field that its schema refuses',
      [
        ['title', 'a'],
        ['age', 'x'],
        ['photo', photo],
      ],
      'body.fields.age',
      'must be integer',
    ],
    [
      'a field twice',
      [
        ['title', 'a'],
        ['title', 'b'],
        ['photo', photo],
      ],
      'body.fields.title',
      'comes twice',
    ],
    ['a file that is missing', [['title', 'a']], 'body.files.photo', 'is required'],
    [
      'a file that is not declared',
      [
        ['title', 'a'],
        ['photo', photo],
        ['virus', photo],
      ],
      'body.files.*',
      'is not a file of this operation',
    ],
    [
      'a file twice',
      [
        ['title', 'a'],
        ['photo', photo],
        ['photo', photo],
      ],
      'body.files.photo',
      'comes too often',
    ],
    [
      'a file in the place of a field',
      [
        ['title', photo],
        ['photo', photo],
      ],
      'body.files.*',
      'is not a file of this operation',
    ],
    [
      'a text in the place of a file',
      [
        ['title', 'a'],
        ['photo', 'text'],
      ],
      'body.fields.*',
      'is not a field of this operation',
    ],
    [
      'names that every object has',
      [
        ['__proto__', 'a'],
        ['photo', photo],
      ],
      'body.fields.*',
      'is not a field of this operation',
    ],
    [
      'names that every object has, of files',
      [['toString', photo]],
      'body.files.*',
      'is not a file of this operation',
    ],
  ]
  it.each(cases)('%s', async (_what, entries, path, message) => {
    const outcome = await api.post.try({ body: formOf(entries) })
    expect(outcome).toMatchObject({ ok: false, error: { name: 'ValidationError', status: 400 } })
    expect((outcome as unknown as { error: { fields: object[] } }).error.fields).toEqual([
      { path, message: expect.stringContaining(message) },
    ])
    expect(handled).toBe(0)
  })

  it('more files of one name than declared', async () => {
    const more: [string, File][] = ['1', '2', '3'].map((name) => ['more', new File([], name)])
    const call = api.post.call({ body: formOf([['title', 'a'], ['photo', photo], ...more]) })
    await expect(call).rejects.toMatchObject({ fields: [{ path: 'body.files.more' }] })
  })
})

describe('what is too large or of another type', () => {
  const refusal = async (entries: Entries): Promise<unknown> =>
    api.post.try({ body: formOf(entries) })

  it('is 413: a file over its bound, a field over 64 KiB, a body over its own', async () => {
    const fileOver: Entries = [
      ['title', 'a'],
      ['photo', photo],
      ['note', new File(['x'.repeat(11)], 'n')],
    ]
    expect(await refusal(fileOver)).toMatchObject({
      error: { status: 413, limitBytes: 10, message: 'The file note is over 10 bytes.' },
    })
    const fieldOver: Entries = [['title', 'x'.repeat(65_537)]]
    expect(await refusal(fieldOver)).toMatchObject({
      error: { status: 413, limitBytes: 65_536 },
    })
    const bodyOver: Entries = [
      ['photo', new File(['x'.repeat(400_000)], 'n', { type: 'image/png' })],
    ]
    expect(await refusal(bodyOver)).toMatchObject({
      error: { status: 413, limitBytes: 400_000 },
    })
    expect(handled).toBe(0)
  })

  it('is 415: a file of another type, a field that is no text, a body that is no form', async () => {
    const other = new File(['x'], 'a', { type: 'application/pdf' })
    expect(await refusal([['photo', other]])).toMatchObject({ error: { status: 415 } })
    for (const type of ['text/html', 'text/plain; charset=utf-16', 'multipart/mixed; boundary=C']) {
      expect(
        (await send(`${title.replace('||', `|content-type: ${type}||`)}|${file}${end}`)).status,
      ).toBe(415)
      const nested = file.replace('image/png', type)
      if (type.startsWith('multipart'))
        expect((await send(`${title}|${nested}${end}`)).status).toBe(415)
    }
    expect((await send('{}', 'application/json')).status).toBe(415)
    expect(handled).toBe(0)
  })
})

describe('a body with two readings is refused', () => {
  const disposition = 'content-disposition: form-data; name="title"'
  const heads = {
    'no name': '--B|content-disposition: form-data||x',
    'a name without quotes': '--B|content-disposition: form-data; name=title||x',
    'a name with an escape': '--B|content-disposition: form-data; name="ti\\"tle"||x',
    'the name twice': `--B|${disposition}; name="age"||x`,
    'a file name in the extended form': `--B|${disposition}; filename*=UTF-8''a||x`,
    'both file names': `--B|content-disposition: form-data; name="photo"; filename="a"; filename*=UTF-8''b||x`,
    'another disposition': '--B|content-disposition: attachment; name="title"||x',
    'the disposition twice': `--B|${disposition}|${disposition}||x`,
    'the type twice': `--B|${disposition}|content-type: text/plain|content-type: text/plain||x`,
    'no disposition': '--B|content-type: text/plain||x',
    'a header of another kind': `--B|${disposition}|content-transfer-encoding: base64||x`,
    'a folded header': `--B|content-disposition: form-data;| name="title"||x`,
    'a space before the colon': `--B|content-disposition : form-data; name="title"||x`,
    'a line that ends in LF': `--B|${disposition}\ncontent-type: text/plain||x`,
    'a line that ends in CR': `--B|${disposition}\rcontent-type: text/plain||x`,
    'a NUL in a name': '--B|content-disposition: form-data; name="ti\0tle"||x',
    'a name that is not UTF-8': '--B|content-disposition: form-data; name="\xff"||x',
    'no empty line': `--B|${disposition}|x`,
    'a head without an end': `--B|${disposition}${'; x'.repeat(2000)}||x`,
    'no head': '--B||x',
  }
  it.each(Object.entries(heads))('for its head: %s', async (_what, part) => {
    expect(await send(`${part}|${file}${end}`)).toMatchObject({
      status: 400,
      code: 'BadRequestError',
    })
    expect(handled).toBe(0)
  })

  const whole = `${title}|${file}`
  const bodies = {
    'something before the first delimiter': `preamble|${whole}${end}`,
    'a line end before it': `|${whole}${end}`,
    'something behind the last one': `${whole}${end}epilogue`,
    'a second body behind the first': `${whole}${end}${whole}${end}`,
    'no last delimiter': whole,
    'half a last delimiter': `${whole}|--B-`,
    'padding behind a delimiter': `${title}|${file.replace('--B', '--B ')}${end}`,
    'a delimiter that goes on': `${title}|${file.replace('--B', '--Bx')}${end}`,
    'a delimiter after LF alone': `${title}\n${file}${end}`.replace(end, '\n--B--'),
    nothing: '',
    'another boundary': `${whole}${end}`.replaceAll('--B', '--C'),
  }
  it.each(Object.entries(bodies))('for its frame: %s', async (_what, text) => {
    expect(await send(text)).toMatchObject({ status: 400, code: 'BadRequestError' })
    expect(handled).toBe(0)
  })

  it('and taken with one', async () => {
    expect((await send(`${whole}${end}`)).status).toBe(200)
    expect((await send(`${whole}|--B--`)).status).toBe(200)
    expect((await send(`${whole}${end}`, 'Multipart/Form-Data; boundary="B"')).status).toBe(200)
  })

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary=B; boundary=C',
    'multipart/form-data; boundary="B"; charset=x',
    'multipart/form-data; charset=x; boundary=B',
    'multipart/form-data; boundary="B ',
    `multipart/form-data; boundary=${'B'.repeat(71)}`,
    'multipart/form-data; boundary*=B',
  ])('for its type: %s', async (type) => {
    expect(await send(`${whole}${end}`, type)).toMatchObject({
      status: 400,
      code: 'BadRequestError',
    })
  })
})

describe('documents', () => {
  it('tell the fields, the files and their types', async () => {
    const { paths } = await (await server.fetch('/_core/openapi.json')).json()
    const content = paths['/posts'].post.requestBody.content['multipart/form-data']
    expect(content.schema).toMatchObject({
      properties: {
        title: { type: 'string' },
        photo: { description: 'A file of at most 200000 bytes.' },
        more: { type: 'array', maxItems: 2 },
      },
      required: ['title', 'photo'],
    })
    expect(content.encoding).toEqual({ photo: { contentType: 'image/*, text/plain' } })
  })
})

describe('a declaration that could not be served is refused', () => {
  it.each([
    [{ maxBytes: 0 }, 'a whole number of bytes'],
    [{ maxBytes: 1, types: ['png'] }, 'is not a media type'],
    [{ maxBytes: 1, atMost: 0 }, 'at most 0 times'],
  ])('%j', (a, message) => {
    expect(() => multipartBody({ maxBytes: 1, files: { a } })).toThrow(message)
  })
})
