import { Type } from 'mneme/plugin'

export const dashboardConfig = Type.Object({
  ACTIVITY_DAYS: Type.Integer({
    minimum: 1,
    maximum: 400,
    default: 400,
    description: 'Days that the activity feed goes back.',
  }),
})
