<?php
// No test in here.
