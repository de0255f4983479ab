#!/usr/bin/env python
# -*- coding: utf-8 -*-

hello = 'こんにちわ'

# EOF
