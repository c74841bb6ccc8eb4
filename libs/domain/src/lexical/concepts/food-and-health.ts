export const FOOD_AND_HEALTH = `
food eat dish meal cuisine: pizza pasta burger salad soup sandwich rice noodle sushi taco curry steak chicken salmon
  cheese bread egg lasagna stew grill barbecue breakfast lunch dinner recipe snack
drink beverage: coffee tea juice water soda wine beer cocktail smoothie milk lemonade espresso whiskey
dessert sweet treat: cake cookie pie icecream chocolate brownie tart pudding candy cupcake muffin pastry donut cream
fruit: apple banana orange berry strawberry blueberry grape mango peach cherry lemon pineapple melon
vegetable: carrot broccoli spinach potato tomato pepper onion lettuce kale cucumber bean veggie salad
snack: chip popcorn nut cookie candy fruit bar chocolate granola
meat: beef chicken pork steak lamb bacon sausage turkey ham
= vegetable veggie
restaurant: cafe diner bistro pub bar pizzeria brunch
= cook bake recipe kitchen chef
diet: vegan vegetarian gluten keto paleo lactose dairy calorie carb protein fasting sugar nutrition
= allergy allergic intolerance intolerant
health illness disease condition medical: ill sick flu fever cancer diabetes asthma migraine headache pain injury
  surgery hospital doctor diagnose anxiety depression arthritis cholesterol infection allergy stomachache heart
digestive stomach: stomachache nausea ulcer reflux indigestion
injury hurt injure: sprain fracture ankle wrist knee bruise accident twist tear wound ligament
doctor medical: nurse surgeon dentist physician therapist clinic hospital checkup appointment specialist
= doctor physician doc
medication medicine: pill tablet ibuprofen aspirin antibiotic insulin prescription vaccine dose
exercise fitness workout training: gym run jog yoga pilates swim cycle lift weight cardio stretch marathon treadmill
  squat
sport athletic: soccer football basketball baseball tennis golf hockey volleyball rugby cricket box wrestle skate
  ski surf marathon swim climb gymnastics badminton martial karate
= sick ill illness
mental therapy wellbeing: counsel therapist stress anxiety depression mindful meditation psychologist selfcare
= therapy therapist counsel counselor psychologist
stress relax destress cope relief unwind: yoga meditate walk bath music nature breath paint journal massage
emotion feeling mood: happy sad angry afraid scared proud excited nervous anxious grateful lonely frustrated upset
  thrilled overwhelmed
= fear afraid scared scary phobia terrified
= happy glad joy delight thrilled
= nervous anxious worried anxiety worry
`;
