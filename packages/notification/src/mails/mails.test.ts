import { defineRouter, defineServer, t } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { NotificationError } from '../delivery/errors.ts'
import { mailboxRouter } from '../mailbox/mailbox.ts'
import { actionButton, codeBox, detailList, paragraph } from '../templates/mail-page.ts'
import { createTestOutbox } from '../testing.ts'
import { defineMail, MailDataError } from './mail.ts'
import { createMailLifecycle } from './mails.ts'

const Line = t.Object({ name: t.String(), count: t.Integer() })
const shipped = defineMail(
  'order-shipped',
  t.Object({ orderId: t.String(), trackingUrl: t.String(), lines: t.Array(Line) }),
  {
    en: ({ orderId, trackingUrl, lines }) => ({
      subject: `Order ${orderId} is on its way`,
      title: 'On its way',
      body: [
        paragraph('We have sent your order.'),
        detailList(lines.map(({ name, count }) => [name, `${count}`])),
        actionButton('Track it', trackingUrl),
      ],
      note: 'You ordered on example.com.',
      short: `Order ${orderId} is on its way: ${trackingUrl}`,
    }),
    ko: ({ orderId }) => ({
      subject: `주문 ${orderId} 발송`,
      body: [paragraph('주문하신 상품이 발송되었습니다.')],
    }),
    'pt-BR': ({ orderId }) => ({ subject: `O pedido ${orderId} foi enviado`, body: [] }),
  },
)
const plain = defineMail('plain', t.Object({ pin: t.String() }), {
  en: ({ pin }) => ({ subject: 'Your pin', text: `${pin}\n`, html: codeBox(pin).toString() }),
})

const definition = defineServer()
  .routes(defineRouter({}).packages([mailboxRouter]))
  .lifecycle(createMailLifecycle([shipped, plain]))

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

async function startShop(variables: Record<string, string> = {}) {
  const outbox = await createTestOutbox()
  const env = { ...outbox.env, ...variables }
  const app = await startTestServer(definition, { env, database: true })
  stops.push(outbox.remove, app.stop)
  const { database } = app.infrastructure
  if (!database) throw new Error('There is no database.')
  const queued = async () => {
    const { rows } = await database.pool.query<{ data: { input: unknown }; state: string }>(
      `select data, state from svc_jobs.job where name = 'notification.mail' order by created_on`,
    )
    return rows
  }
  return { ...app, outbox, db: database.db, pool: database.pool, queued }
}

let readers = 0
const newReader = () => `reader-${(readers += 1)}@example.com`
const data = {
  orderId: 'o1',
  trackingUrl: 'https://post.example.com/p?id=7',
  lines: [{ name: 'Tea', count: 2 }],
}

const { outbox, db, pool, queued, logged, fetch, within } = await startShop()

describe('a mail of an application', () => {
  it('is written once, as text and as HTML in the look of ours', async () => {
    const to = newReader()
    const sent = await outbox.sentBy(() => shipped.send({ to, data }), to, 'order-shipped')
    expect(sent).toMatchObject({ channel: 'mail', subject: 'Order o1 is on its way' })
    expect(sent.text).toMatchInlineSnapshot(`
      "On its way

      We have sent your order.

          Tea: 2

      Track it:
      https://post.example.com/p?id=7

      You ordered on example.com.
      "
    `)
    expect(sent.html).toContain('<html lang="en">')
    expect(sent.html).toContain('href="https://post.example.com/p?id=7"')
    expect(sent.html).toContain('You ordered on example.com.</p>')
  })

  it('has the brand of the application above it', async () => {
    const branded = await createTestOutbox()
    const welcome = defineMail('welcome', t.Object({}), {
      en: () => ({ subject: 'Welcome', body: [] }),
    })
    const app = await startTestServer(
      defineServer()
        .routes(defineRouter({}))
        .lifecycle(createMailLifecycle([welcome], { brand: { name: 'Tea & Co' } })),
      { env: branded.env, database: true },
    )
    stops.push(branded.remove, app.stop)
    const to = newReader()
    const send = () => app.within(() => welcome.send({ to, data: {} }))
    const { html, text } = await branded.sentBy(send, to, 'welcome')
    expect(html).toContain('>Tea &amp; Co</td>')
    expect(text).toBe('Welcome\n\n-- \nTea & Co\n')
  })

  it('may have a look of its own', async () => {
    const to = newReader()
    const sent = await outbox.sentBy(() => plain.send({ to, data: { pin: '12' } }), to, 'plain')
    expect(sent).toMatchObject({
      subject: 'Your pin',
      text: '12\n',
      html: expect.stringMatching(/^<p class="code"/),
    })
  })

  it.each([
    ['ko-KR', '주문 o1 발송', 'ko'],
    ['pt-br', 'O pedido o1 foi enviado', 'pt-BR'],
    ['pt', 'Order o1 is on its way', 'en'],
    ['fr', 'Order o1 is on its way', 'en'],
  ])('is in the words for %s, else in English', async (locale, subject, lang) => {
    const to = newReader()
    const sent = await outbox.sentBy(() => shipped.send({ to, data, locale }), to, 'order-shipped')
    expect(sent).toMatchObject({ subject, html: expect.stringContaining(`<html lang="${lang}">`) })
  })

  it('shows its data as text, at every depth, and links to nothing but a url', async () => {
    const to = newReader()
    const name = '<img src=x>\r\nBcc: eve@example.com https://evil.example.com \u202E'
    const hostile = { ...data, orderId: name, lines: [{ name, count: 1 }] }
    const send = () => shipped.send({ to, data: hostile })
    const { subject, text, html = '' } = await outbox.sentBy(send, to, 'order-shipped')
    expect(subject).toMatch(/^[^\r\n\u202E]*$/)
    expect(`${text}${html}`).not.toMatch(/\r|\u202E|evil\.example\.com|https:\/\/evil/)
    expect(html).toContain('&lt;img src=x&gt;')
    expect(html).not.toContain('<img')
  })

  it('is shown in the mailbox of development', async () => {
    const to = newReader()
    await outbox.sentBy(() => shipped.send({ to, data }), to, 'order-shipped')
    const page = await (await fetch('/_ops/mailbox')).text()
    expect(page).toContain(`Mail to ${to}`)
    expect(page).toContain('<span>order-shipped</span>')
  })

  it('is logged by its name and a recipient that takes no mail, and no more', async () => {
    const to = newReader()
    const { length } = logged
    const pinned = { pin: '739-114' }
    await outbox.sentBy(() => plain.send({ to, data: pinned }), to, 'plain')
    await vi.waitFor(() =>
      expect(logged.slice(length)).toMatchObject([
        { template: 'plain', channel: 'mail', to: 'r***@example.com', msg: 'notification sent' },
      ]),
    )
    expect(JSON.stringify(logged)).not.toMatch(/739-114|Your pin|reader-/)
  })
})

describe('send', () => {
  it('queues in the open transaction: a commit sends the mail, and nothing leaves before', async () => {
    const to = newReader()
    const before = (await queued()).length
    await db.transaction(async () => {
      await shipped.send({ to, data })
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(await queued()).toHaveLength(before)
      expect(await outbox.messagesTo(to)).toEqual([])
    })
    await vi.waitFor(async () => expect(await outbox.messagesTo(to)).toHaveLength(1), 5000)
  })

  it('drops the mail with a rollback', async () => {
    const to = newReader()
    const failing = db.transaction(async () => {
      await shipped.send({ to, data })
      throw new Error('and back')
    })
    await expect(failing).rejects.toThrow('and back')
    expect(JSON.stringify(await queued())).not.toContain(to)
  })

  it('tries again when the mail server fails', async () => {
    const taken: string[] = []
    let isRefusing = true
    const smtp = new SMTPServer({
      authOptional: true,
      logger: false,
      onRcptTo: (_address, _session, callback) => {
        callback(isRefusing ? Object.assign(new Error('later'), { responseCode: 451 }) : null)
        isRefusing = false
      },
      onData(stream, _session, callback) {
        stream.on('data', (chunk: Buffer) => taken.push(chunk.toString()))
        stream.on('end', callback)
      },
    })
    const { port } = await new Promise<{ port: number }>((resolve) => {
      const listening = smtp.listen(0, '127.0.0.1', () => {
        resolve(listening.address() as { port: number }) // it listens on a port, and no path
      })
    })
    const shop = await startShop({ SVC_MAIL_URL: `smtp://127.0.0.1:${port}?tls=off` })
    await shop.within(() => plain.send({ to: newReader(), data: { pin: '739-114' } }))
    await vi.waitFor(() => expect(taken.join('')).toContain('739-114'), 15_000)
    await shop.stop()
    stops.splice(stops.indexOf(shop.stop), 1)
    await new Promise<void>((resolve) => smtp.close(() => resolve()))

    expect(shop.logged).toContainEqual(
      expect.objectContaining({ msg: 'job failed and is tried again', job: 'notification.mail' }),
    )
    expect(JSON.stringify(shop.logged)).not.toMatch(/739-114|reader-/)
  })

  it('refuses data that the schema does, and queues nothing', async () => {
    const to = newReader()
    const wrong = { ...data, lines: [{ name: 'Tea' }] } as unknown as typeof data
    await expect(shipped.send({ to, data: wrong })).rejects.toThrow(MailDataError)
    await expect(shipped.sendNow({ to, data: wrong })).rejects.toMatchObject({
      mail: 'order-shipped',
      fields: [{ path: 'data.lines.0.count' }],
    })
    expect(JSON.stringify(await queued())).not.toContain(to)
  })

  it('checks the data again as it is sent: another release may have queued it', async () => {
    const to = newReader()
    const input = { mail: 'order-shipped', channel: 'mail', to, data: { orderId: 'old' } }
    const { length } = logged
    await pool.query(
      `insert into svc_jobs.job (name, data, retry_limit) values ('notification.mail', $1, 0)`,
      [{ input }],
    )
    await vi.waitFor(
      () =>
        expect(logged.slice(length)).toMatchObject([
          {
            msg: 'job failed for good',
            err: { message: expect.stringContaining('The data of mail order-shipped') },
          },
        ]),
      10_000,
    )
    expect(await outbox.messagesTo(to)).toEqual([])
  })

  it.each(['ada', 'ada@example.com, eve@example.com', 'ada@example.com\r\nBcc: eve@example.com'])(
    'takes one recipient only, not %j, and says so to its caller',
    async (to) => {
      const { length } = await queued()
      await expect(shipped.send({ to, data })).rejects.toMatchObject({ code: 'INVALID_RECIPIENT' })
      expect(await queued()).toHaveLength(length)
    },
  )

  it('needs a server that has the mail', async () => {
    const nobodys = defineMail('nobodys', t.Object({}), { en: () => ({ subject: '', body: [] }) })
    await expect(nobodys.send({ to: newReader(), data: {} })).rejects.toThrow(
      'No running server has the mail nobodys: pass it to createMailLifecycle',
    )
  })
})

describe('a text message', () => {
  const to = '+821012345678'

  it('says what is short of a mail', async () => {
    const send = () => shipped.send({ channel: 'sms', to, data })
    const { text, subject } = await outbox.sentBy(send, to, 'order-shipped')
    expect(subject).toBeUndefined()
    expect(text).toBe('Order o1 is on its way: https://post.example.com/p?id=7')
  })

  it('keeps to the countries that are allowed', async () => {
    const shop = await startShop({ SVC_SMS_COUNTRIES: '44' })
    const sending = shop.within(() => shipped.send({ channel: 'sms', to, data }))
    await expect(sending).rejects.toMatchObject({ code: 'COUNTRY_NOT_ALLOWED' })
    await shop.stop()
    stops.splice(stops.indexOf(shop.stop), 1)
  })
})

describe('sendNow', () => {
  it('sends without a row in the queue', async () => {
    const to = newReader()
    await plain.sendNow({ to, data: { pin: '802-555' } })
    expect(await outbox.messagesTo(to)).toMatchObject([{ text: '802-555\n' }])
    const rows = JSON.stringify(await queued())
    expect(rows).not.toContain('802-555')
    expect(rows).not.toContain(to)
  })

  it('throws a NotificationError when it was not sent', async () => {
    const shop = await startShop({ SVC_MAIL_URL: 'smtp://127.0.0.1:1' })
    const sending = shop.within(() => plain.sendNow({ to: newReader(), data: { pin: '739-114' } }))
    await expect(sending).rejects.toThrow(NotificationError)
    await expect(sending).rejects.not.toThrow(/739-114|reader-/)
    await shop.stop()
    stops.splice(stops.indexOf(shop.stop), 1)
  })
})

describe('two applications in one process', () => {
  it('send a mail through the one whose request, job or transaction it is, and refuse elsewhere', async () => {
    const shop = await startShop()
    const [here, there, neither] = [newReader(), newReader(), newReader()]
    await expect(plain.sendNow({ to: neither, data: { pin: '1' } })).rejects.toThrow(
      '2 applications of this process have the mail',
    )
    await within(() => plain.sendNow({ to: here, data: { pin: '1' } }))
    await shop.within(() => plain.sendNow({ to: there, data: { pin: '2' } }))
    expect(await outbox.messagesTo(here)).toHaveLength(1)
    expect(await outbox.messagesTo(there)).toHaveLength(0)
    expect(await shop.outbox.messagesTo(there)).toHaveLength(1)
    await shop.stop()
    stops.splice(stops.indexOf(shop.stop), 1)
  })
})

describe('createMailLifecycle', () => {
  it('refuses two mails of one name, and the name of a template of ours', () => {
    expect(() => createMailLifecycle([plain, plain])).toThrow('Two mails are named plain')
    const ours = defineMail('invitation', t.Object({}), { en: () => ({ subject: '', body: [] }) })
    expect(() => createMailLifecycle([ours])).toThrow('invitation is a template of sign-in')
  })

  it('reports the variables of mail at boot, and needs a database', async () => {
    const start = (env: Record<string, string>) => startTestServer(definition, { env })
    await expect(start({ SVC_MAIL_URL: 'ftp:x' })).rejects.toThrow('SVC_MAIL_URL must be')
    await expect(start({ SVC_MAIL_URL: 'none' })).rejects.toThrow('set DATABASE_URL')
  })
})
