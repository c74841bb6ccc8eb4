/**
 * `new Date()` reads the machine's clock; code must take the time from a Clock, so that tests and replays can set it.
 */
const noAmbientDate = {
  create(context) {
    return {
      'NewExpression[callee.name="Date"][arguments.length=0]'(node) {
        context.report({ node, message: 'Take the time from a Clock (@annals/domain): new Date(clock.now()).' });
      },
    };
  },
};

export default { meta: { name: 'annals' }, rules: { 'no-ambient-date': noAmbientDate } };
