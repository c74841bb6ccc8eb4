import { defineFragment } from '../fragment.js';
import { optional, singleLine } from '../variable.js';

export const categories = defineFragment({
  title: 'Categories',
  variables: {
    ANNALS_CATEGORIES_FILE: optional(
      singleLine('the path of a YAML file'),
      'the categories and allowlists of `categories.example.yaml` hold',
      {
        description:
          'Categories, their context modes and the allowlists of agents; gateways serve by it, extraction files memories under it, so give both the same. A file that changes is taken up within seconds, or at once on SIGHUP; one that is wrong changes nothing and is logged.',
      },
    ),
  },
  build: (values) => ({ file: values.ANNALS_CATEGORIES_FILE }),
});
