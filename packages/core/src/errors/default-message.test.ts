import { describe, expect, it } from 'vitest'
import { refusal } from '../request/envelope.ts'
import { HttpError } from './errors.ts'

class OutOfStockError extends HttpError {
  static override readonly defaultMessage = 'Sold out. Come back tomorrow.'
  readonly name = 'OutOfStockError'
  readonly status = 409
}

class LateOrderError extends HttpError {
  readonly name = 'LateOrderError'
  readonly status = 409
}

const bodyFor = (error: HttpError) => refusal(error, { requestId: 'r1' }).value

describe('the message of a refusal', () => {
  it('is the one that it was given', () => {
    const error = new OutOfStockError({ message: 'None left.' })
    expect(bodyFor(error)).toMatchObject({
      message: 'None left.',
      error: { message: 'None left.' },
    })
  })

  it('is that of its class where it was given none', () => {
    const message = 'Sold out. Come back tomorrow.'
    expect(bodyFor(new OutOfStockError())).toMatchObject({ message, error: { message } })
  })

  it('is made of the name where its class has none either', () => {
    expect(bodyFor(new LateOrderError())).toMatchObject({ message: 'Late order' })
  })
})
