export { idJagProfile, jwtBearer, redeemAssertion } from './redeem-assertion.ts'
